// Faults of the table's page: texts that are too small (`least`, in CSS pixels), and content off the screen.
([least, needed, tap]) => {
  const wrong = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const named = (element) => `${element.closest("[data-region]")?.dataset.region || "page"} ${element.localName}.${element.getAttribute("class") || ""}`;
  while (least && texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !element.checkVisibility({ visibilityProperty: true }) || element.closest(`.bar, .sr, .verdict-text, ${tap}`)) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const drawing = element.closest("svg");
    const size = parseFloat(getComputedStyle(element).fontSize) * (drawing ? drawing.getScreenCTM().a : 1);
    if (size < least - 0.1) wrong.add(`${Math.round(size)} px: ${named(element)}: ${texts.currentNode.data.trim().slice(0, 24)}`);
  }
  for (const name of needed) {
    const region = document.getElementById(`region-${name}`), box = region?.getBoundingClientRect();
    if (!box?.height) continue;
    // A region too small for its content ends where its last element does.
    const bottom = Math.max(...[region, ...region.querySelectorAll("article")].map((e) => e.getBoundingClientRect().bottom));
    if (bottom > innerHeight + 1 || box.right > innerWidth + 1) wrong.add(`${name} ends at ${Math.round(bottom)} of ${innerHeight}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.add("wider than the screen");
  return [...wrong];
}
