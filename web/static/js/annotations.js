// Outlines and names of cards over a live picture, for every page with one. Coordinates are fractions of the picture.
"use strict";
// `tall` returns the picture's height relative to its width; drawings are 1000 wide.
window.companionAnnotations = (tall) => {
  const SVG = "http://www.w3.org/2000/svg", WIDE = 1000, LEAST = 9, LINE = 11;
  const high = () => WIDE * tall();

  function shape(outline, className) {
    const made = document.createElementNS(SVG, "polygon");
    made.setAttribute("points", outline.map(([x, y]) => `${(x * WIDE).toFixed(1)},${(y * high()).toFixed(1)}`).join(" "));
    made.setAttribute("class", className);
    return made;
  }

  // A card's name in its middle, in lines that fit its width; omitted if too small to read. A partly covered card has
  // its name on the visible part; a name that ends in a value is reduced to the value.
  const middle = (outline) => [0, 1].map((axis) => outline.reduce((sum, corner) => sum + corner[axis], 0) / outline.length * (axis ? high() : WIDE));
  function label(card, before) {
    const xs = card.outline.map(([x]) => x * WIDE), ys = card.outline.map(([, y]) => y * high());
    const wide = Math.max(...xs) - Math.min(...xs), tallness = Math.max(...ys) - Math.min(...ys);
    let [x, y] = middle(card.outline), room = wide, lines = [];
    const [dx, dy] = before ? [x - middle(before.outline)[0], y - middle(before.outline)[1]] : [WIDE, WIDE];
    const step = Math.hypot(dx, dy);
    if (step > 1 && step < 0.7 * Math.min(wide, tallness)) {
      const away = (Math.abs(dx) > Math.abs(dy) ? wide : tallness) / 2 - step / 2;
      x += dx / step * away;
      y += dy / step * away;
      room = Math.abs(dx) > Math.abs(dy) ? step : wide;
      const last = card.name.split(" ").at(-1);
      lines = [/[\d?]/.test(last) ? last : card.name];
    } else {
      for (const word of card.name.split(" ")) {
        const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
        if (lines.length && longer.length <= LINE) lines[lines.length - 1] = longer; else lines.push(word);
      }
    }
    const size = Math.min(21, 1.75 * room / Math.max(...lines.map((line) => line.length), 3));
    if (size < LEAST) return [];
    return lines.map((line, nth) => {
      const text = document.createElementNS(SVG, "text");
      text.setAttribute("x", x);
      text.setAttribute("y", y - (lines.length / 2 - 0.8) * size + nth * size * 1.05);
      text.setAttribute("font-size", size.toFixed(1));
      text.textContent = line;
      return text;
    });
  }
  const labels = (cards) => cards.flatMap((card, nth) => {
    const before = cards[nth - 1];
    if (card.outline.length !== 4) return [];
    return label(card, before?.place === card.place && before.outline.length === 4 ? before : null);
  });
  const tokenMarks = (tokens) => tokens.filter((token) => token.outline.length)
    .flatMap((token) => [shape(token.outline, `spotted ${token.sure}`), ...(token.sure === "named" ? label(token, null) : [])]);
  return { shape, labels, tokenMarks };
};
