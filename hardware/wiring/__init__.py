"""Which button, lamp and buzzer hangs on which pin, and the diagram of it.

Enter at `wiring.Wiring`.
"""
