"""Thresholds for naming tokens, chosen on rendered places (docs/recognising.md)."""

from __future__ import annotations

TEMPER = 14.0
"""The difference in the look that counts a quarter during alignment, because other objects may cover tokens."""
LIGHTER, TINTED = 9.0, 7.0
"""The maximum difference of a token's overall L (times `GREY`) and of its a and b from its enrolled picture, by
printing, lamp or shade."""
GAINS = (0.65, 1.3)
"""The range of a token's contrast relative to its enrolled picture."""
AWAY = 9.0
"""The difference in the look (Lab), averaged over `WINDOW`, from which a spot contradicts the face."""
SLOPE = 0.25
"""The additional tolerance where the enrolled picture is steep: its gradient over this distance in millimetres."""
WINDOW = 0.5
"""Sigma in millimetres for averaging differences. Noise is finer, and a digit's stroke is not."""
SHARE = 0.66
"""The minimum agreeing share of the visible part. A reflection or a crumb takes a tenth, and another value takes
more."""
ALIKE_WHOLE = 0.65
"""The minimum correlation of the visible part. Single spots may agree by chance, as may a plain coin with a plain
area."""
BARE = 0.3
"""The minimum nearness of a picture to a face over bare paper, because shadows and print may form an outline."""
VISIBLE = 0.46
"""The minimum visible share for a name. The rules ask players for 0.6, but the upper token's edge hides some of it."""
COVERED = 0.15
"""The minimum agreeing visible share of a covered token. A smaller one may be any object's edge."""
MARGIN = 0.35
"""The minimum margin over any other face where they differ. At 0 both are equally near."""
EVIDENCE = 700.0
"""The minimum difference of two faces in the visible part, in mm² times the squared difference (Lab)."""
LEAST_VOTES = 0.2
"""The minimum share of an outline with an edge. Tokens with 60 % visible show more."""
MOST_MIDDLES = 40
"""The maximum number of middles to examine for each outline at a place."""
FACES_TRIED = 3
"""The number of closest polar faces to align at a middle."""
STRANGE = 9.0
"""The minimum area in mm² of an unexplained object in the foreground. A crumb is smaller."""
THIN = 0.8
"""The width in millimetres of the opening before the foreground is measured. Shadows and printed lines are thinner."""
AROUND = 0.9
"""The margin in millimetres around a token that it explains, for its soft edge and shadow."""
STACK = 3.5
"""The width in millimetres up to which an object beside a token is the rim of another one below it."""
