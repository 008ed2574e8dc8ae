"""Who is asking, and what they may do: tokens, PINs, limits, forms, host names.

May import nothing of web but itself.
"""
