// Checks the action bar of a seat's page: sign or bar not fully visible, too high a bar, too many buttons, and legal
// moves that are neither there nor one named tap or one swipe of one list away. `large`: the letters are so large that
// the bar may flow with the page.
(large) => {
  const wrong = [], main = document.querySelector("main"), bar = document.querySelector("[data-action-bar]");
  const sign = document.querySelector("#region-status .sign"), flows = "flow" in document.body.dataset;
  const REGIONS = ["picks", "holdings", "goals", "press", "asked", "actions", "turnup", "supply", "board"];
  const MOST = 0.35, BUTTONS = 4, START = 20;
  const top = () => (window.visualViewport?.offsetTop || 0), end = () => top() + (window.visualViewport?.height || innerHeight);
  const say = (element) => `${element.closest("[data-region]")?.dataset.region}: ${(element.getAttribute("aria-label") || element.textContent).trim().replace(/\s+/g, " ").slice(0, 40)}`;
  const inside = (element) => { const box = element.getBoundingClientRect(); return box.top >= top() - 1 && box.bottom <= end() + 1 && box.left >= -1 && box.right <= innerWidth + 1; };
  const hit = (element) => {
    const box = element.getBoundingClientRect(), found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return Boolean(found) && (element.contains(found) || found.contains(element) && found.closest("button, a, summary, label") === element);
  };
  const there = bar.checkVisibility(), direct = () => [...bar.querySelectorAll(".button, .press-button")].filter((each) => each.checkVisibility() && !each.closest(".bar-list"));
  function look(where) {
    if (flows) return;
    if (!inside(sign) || !hit(sign)) wrong.push(`${where}: the sign is not wholly seen`);
    if (there && !inside(bar)) wrong.push(`${where}: the bar is not wholly seen`);
    for (const each of document.querySelectorAll("#region-picks [data-picked]")) {
      const box = each.getBoundingClientRect();
      if (there && getComputedStyle(each).position === "sticky" && box.top < bar.getBoundingClientRect().top && box.bottom > bar.getBoundingClientRect().top + 1) wrong.push(`${where}: under the bar: ${say(each)}`);
    }
    for (const each of direct()) if (!inside(each) || !each.disabled && !hit(each)) wrong.push(`${where}: covered: ${say(each)}`);
  }
  if (flows && !large) wrong.push(`the bar flows with the page: ${bar.offsetHeight} and ${sign.offsetHeight} px`);
  scrollTo(0, 0);
  look("at the top");
  if (there && !flows) {
    const high = bar.offsetHeight / innerHeight;
    if (high > MOST + 0.002) wrong.push(`the bar takes ${Math.round(100 * high)} % of the height`);
  }
  if (direct().length > BUTTONS) wrong.push(`${direct().length} buttons: ${direct().map((each) => each.textContent.trim()).join(" | ").slice(0, 120)}`);
  for (const each of direct()) { const box = each.getBoundingClientRect(); if (box.height < 43.5 || box.width < 43.5) wrong.push(`${Math.round(box.width)} × ${Math.round(box.height)}: ${say(each)}`); }
  const limit = flows ? innerHeight : Math.min(innerHeight, there ? bar.getBoundingClientRect().top : innerHeight);
  const begins = (list) => { const box = list.getBoundingClientRect(); return box.height > 0 && box.top < limit - START && box.bottom > 0; };
  const led = (element) => [...bar.querySelectorAll("a[href^='#']")].some((link) => link.checkVisibility() && (element.closest(link.hash) || element.closest("[data-region]").querySelector(link.hash)));
  // Visible, in a list that starts in view, or in one that a button of the bar opens. With large letters and a flowing
  // bar, the page is the list: it starts on the next screen at the latest.
  const list = (element) => element.closest("[data-region]").querySelector("form.move, .board-scroll, .piles, summary, .pick-cards, .hand") || element;
  // A tapped card may hide the rest while the bar offers the way back.
  const kept = () => direct().some((each) => each.type === "reset" && (flows || inside(each) && hit(each)));
  const paged = (element) => large && (flows || !there) && list(element).getBoundingClientRect().top < 2 * innerHeight;
  const reached = (element) => (inside(element) && hit(element)) || begins(list(element)) || paged(element) || led(element);
  function offer(element) {
    const pop = element.closest("[popover]");
    if (pop) { const opener = document.querySelector(`[popovertarget="${pop.id}"]:not([popovertargetaction])`); return opener ? offer(opener) : false; }
    const fold = element.closest("details:not([open])");
    if (fold && fold.matches(".bar-sheet")) {
      const name = fold.querySelector("summary");
      if (!name.checkVisibility()) return true; // for a card that is not tapped
      if (!flows && (!inside(name) || !hit(name))) return false;
      fold.open = true;
      element.scrollIntoView({ block: "center" });
      scrollTo(0, 0);
      const box = fold.querySelector(".bar-list"), seen = element.checkVisibility() && (flows || inside(box) && hit(element) && box.getBoundingClientRect().top >= sign.getBoundingClientRect().bottom - 1);
      fold.open = false;
      scrollTo(0, 0);
      return seen;
    }
    if (fold) return reached(fold.querySelector("summary"));
    return element.checkVisibility() ? element.closest("[data-action-bar]") ? true : reached(element) : /\bfor-\d/.test(element.closest("[class*='for-']")?.className || "") || kept();
  }
  const moves = REGIONS.flatMap((name) => [...document.querySelectorAll(`#region-${name} :is(form.move button:not([type=button]), button[form]):enabled`)]);
  for (const each of moves) if (!offer(each)) wrong.push(`out of reach: ${say(each)}`);
  const lit = document.querySelector(".cell.lit");
  if (lit && !reached(lit)) wrong.push("out of reach: the map");
  scrollTo(0, innerHeight);
  look("further down");
  scrollTo(0, document.documentElement.scrollHeight);
  look("at the end");
  scrollTo(0, 0);
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) wrong.push(`scrolls sideways: ${[...document.querySelectorAll("main *")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1).slice(-1).map((each) => each.outerHTML.slice(0, 90))}`);
  return [...new Set(wrong)];
}
