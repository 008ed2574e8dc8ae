// Finds layout faults: sideways scrolling, texts cut off or outside their box, controls that overlap. The bar shows its
// player's name only if it fits.
() => {
  const wrong = new Set(), root = document.documentElement, width = root.clientWidth;
  document.querySelectorAll("details:not(.menu)").forEach((fold) => { fold.open = true; });
  const named = (element) => `${element.closest("[data-region]")?.dataset.region || "page"} ${element.parentElement.localName}.${element.parentElement.getAttribute("class") || ""} > ${element.localName}.${element.getAttribute("class") || ""}`;
  const above = (element, is) => { for (let at = element; at && at !== document.body; at = at.parentElement) if (is(getComputedStyle(at), at)) return at; return null; };
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest("svg, select, .sr, .bar .who") && !above(element, (style) => style.clipPath !== "none");
  const scrolls = (element) => above(element, (style) => /auto|scroll/.test(style.overflowX));
  if (root.scrollWidth > width) wrong.add(`scrolls sideways: ${root.scrollWidth} of ${width}`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement, said = texts.currentNode.data.trim().slice(0, 24);
    if (!said || !seen(element) || scrolls(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    if (box.left < -1 || box.right > width + 1) wrong.add(`beside the screen: ${named(element)}: ${said}`);
    const frame = above(element, (style) => style.display !== "inline" && (style.overflowX === "hidden" || style.overflowY === "hidden" || style.backgroundColor !== "rgba(0, 0, 0, 0)" || (style.borderLeftWidth !== "0px" && style.borderRightWidth !== "0px")));
    const limits = frame?.getBoundingClientRect();
    if (limits && (box.right > limits.right + 1.5 || box.left < limits.left - 1.5 || box.bottom > limits.bottom + 5 || box.top < limits.top - 5)) wrong.add(`outside its box: ${named(element)}: ${said}`);
  }
  const controls = [...document.querySelectorAll("main :is(button, a[href], summary, select, input:not([type=hidden]), textarea)")]
    .filter((control) => seen(control) && !control.matches(".pile-help") && !above(control, (style) => /sticky|fixed/.test(style.position)))
    .map((control) => [control, control.getBoundingClientRect()]).filter(([, box]) => box.width > 2 && box.height > 2).sort((one, two) => one[1].top - two[1].top);
  controls.forEach(([one, a], at) => {
    for (const [two, b] of controls.slice(at + 1)) {
      if (b.top > a.bottom) break;
      const apart = Math.min(a.right, b.right) - Math.max(a.left, b.left) < 3 || Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) < 3;
      if (!apart && !one.contains(two) && !two.contains(one) && scrolls(one) === scrolls(two)) wrong.add(`covers another: ${named(one)} and ${named(two)}`);
    }
  });
  return [...wrong];
}
