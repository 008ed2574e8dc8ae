"""Numbers that decide what a token is called, chosen on rendered places (docs/recognising.md)."""

from __future__ import annotations

TEMPER = 14.0
"""A difference in the look that counts a quarter while a face is aligned: other things lie on tokens."""
LIGHTER, TINTED = 9.0, 7.0
"""How far all of a token's L (times `GREY`) or a and b may be from its enrolled picture: print, lamp, shade."""
GAINS = (0.65, 1.3)
"""A token's contrast lies between these times its enrolled picture's."""
AWAY = 9.0
"""A difference in the look (Lab) from which a spot contradicts the face, softened over `WINDOW`."""
SLOPE = 0.25
"""Where an enrolled picture is steep, a spot must differ by its slope over so many millimetres more."""
WINDOW = 0.5
"""Millimetres over which differences are averaged: noise is finer, a digit's stroke is not."""
SHARE = 0.66
"""The part of what is visible that must agree: a shine or a crumb takes a tenth, another value takes more."""
ALIKE_WHOLE = 0.65
"""How much all that shows must correlate: single spots may agree by chance, a plain coin with any plain part."""
BARE = 0.3
"""How much nearer a picture must be to a face than to bare paper: an outline of shadows and print is no token."""
VISIBLE = 0.46
"""The part of a token that must be visible for its name: people are told 0.6, and the upper one's edge takes some."""
COVERED = 0.15
"""From this part on, what agrees with a token is called a covered token; less is any thing's edge."""
MARGIN = 0.35
"""How much nearer than any other face the picture must be, where they differ: at 0 both are equally near."""
EVIDENCE = 700.0
"""How much two faces must differ in the visible part: square millimetres times the squared difference (Lab)."""
LEAST_VOTES = 0.2
"""The part of an outline that must have an edge: tokens of which 60 % is visible show more."""
MOST_MIDDLES = 40
"""Middles of one outline that are examined at most in one place."""
FACES_TRIED = 3
"""Faces that are laid over a middle, the nearest unrolled ones."""
STRANGE = 9.0
"""Square millimetres of the foreground that no token explains, from which it is something: a crumb is smaller."""
THIN = 0.8
"""Millimetres by which the foreground is worn away before it is measured: shadows and printed lines are thinner."""
AROUND = 0.9
"""Millimetres around a token that it explains: its soft edge and its shadow."""
STACK = 3.5
"""Millimetres of breadth up to which something beside a token is another one's rim below it."""
