// A stage's use of its screen, in hundredths: game objects by the union of their boxes, and the largest empty
// rectangle.
(quiet) => {
  const SIDE = 8, wide = Math.ceil(innerWidth / SIDE), high = Math.ceil(innerHeight / SIDE);
  // Cards (including face-down ones), wagons and their places, cells of a map, bidders and the price; surrounding
  // panels do not count.
  const THINGS = ".loco, .wagon-card, .car, .train-loco, .lot-cards > *, .card-chip, .face, .cell .ground, .bidder, .tote, .pile, .deck-back, .line > *, .pool-card, .xp-car, .xp-line > *, .xp-card, .xp-fan i, .winner, .ranking > li";
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest(".sr");
  const cells = (boxes) => {
    const grid = new Uint8Array(wide * high);
    for (const box of boxes) {
      const left = Math.max(0, Math.floor(box.left / SIDE)), right = Math.min(wide, Math.ceil(box.right / SIDE));
      const top = Math.max(0, Math.floor(box.top / SIDE)), bottom = Math.min(high, Math.ceil(box.bottom / SIDE));
      for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) grid[y * wide + x] = 1;
    }
    return grid;
  };
  const boxes = (selector) => [...document.querySelectorAll(selector)].filter(seen).map((e) => e.getBoundingClientRect());
  const texts = [], cut = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement, range = document.createRange();
    if (!node.data.trim() || !seen(element)) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((r) => r.width > 2 && r.height > 2);
    texts.push(...rects);
    if (element.closest(`.bar, svg, .log, .claimed, ${quiet}`)) continue;
    // The area that clips a text: the screen, or the nearest box with hidden overflow.
    let box = element;
    while (box !== document.body && getComputedStyle(box).overflow === "visible") box = box.parentElement;
    const edge = box === document.body ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : box.getBoundingClientRect();
    if (edge.right - edge.left < 3) continue;
    if (rects.some((r) => r.left < edge.left - 3 || r.right > edge.right + 3 || r.top < edge.top - r.height / 4 || r.bottom > edge.bottom + r.height / 4)) cut.push(`${element.closest("[data-region]")?.dataset.region} ${element.className}: ${node.data.trim().slice(0, 24)}`);
  }
  const things = cells(boxes(THINGS)), full = cells([...texts, ...boxes("svg:not(.board-map), img, .pict")]).map((each, at) => each | things[at]);
  let empty = 0;
  const above = new Int32Array(wide);
  for (let y = 0; y < high; y++) {
    const open = [];
    for (let x = 0; x <= wide; x++) {
      if (x < wide) above[x] = full[y * wide + x] ? 0 : above[x] + 1;
      const height = x < wide ? above[x] : 0;
      let from = x;
      while (open.length && open.at(-1)[1] >= height) { const [left, tall] = open.pop(); from = left; empty = Math.max(empty, tall * (x - left)); }
      open.push([from, height]);
    }
  }
  // Players shown twice, and facts missing from a locomotive for sale.
  const names = [...document.querySelectorAll(".bidders .who, #region-seats .who, #region-totals .who")].filter(seen).map((e) => e.textContent.trim());
  const twice = names.filter((name, at) => names.indexOf(name) < at);
  const untold = [...document.querySelectorAll(".lot-cards .loco:not(.back) :is(.loco-drive, .times, dd)")].filter((e) => !seen(e) || !e.getClientRects().length).map((e) => e.textContent);
  const of = (count) => Math.round((1000 * count) / (wide * high)) / 10;
  const page = document.documentElement;
  return { things: of(things.reduce((sum, each) => sum + each, 0)), empty: of(empty), twice, untold, cut, scrolls: Math.max(page.scrollHeight - innerHeight, page.scrollWidth - innerWidth) };
}
