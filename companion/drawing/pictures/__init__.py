"""Pictures that the cards of several games share: frames and backs, scenery, trains, goods, animals.

May import `companion.drawing`. Enter at any module.
"""
