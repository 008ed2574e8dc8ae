// Lists a page's faults on its screen; `touch`: fingers need tall buttons.
(touch) => {
  const wrong = [], root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > root.clientWidth + 1);
    wrong.push(`scrolls sideways: ${root.scrollWidth} of ${root.clientWidth}: ${wide.slice(-1).map((e) => e.outerHTML.slice(0, 120))}`);
  }
  if (!document.title.trim()) wrong.push("no title");
  if (!root.lang) wrong.push("no language");
  for (const input of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    const named = input.getAttribute("aria-label") || input.labels?.[0]?.textContent
      || (input.getAttribute("aria-labelledby") && document.getElementById(input.getAttribute("aria-labelledby"))?.textContent);
    if (!(named || "").trim()) wrong.push(`nobody says what this is: ${input.outerHTML.slice(0, 160)}`);
  }
  for (const button of document.querySelectorAll("button, summary, a[href]")) {
    if (!(button.textContent.trim() || button.getAttribute("aria-label"))) wrong.push(`a button without a word: ${button.outerHTML.slice(0, 160)}`);
    const box = button.getBoundingClientRect();
    if (touch && button.checkVisibility() && box.height && box.height < 43.5) wrong.push(`${box.height} px high: ${button.outerHTML.slice(0, 160)}`);
  }
  return wrong;
}
