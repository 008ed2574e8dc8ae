// The action bar stays above an on-screen keyboard. It flows with the page when letters are so large that sign and bar
// would leave no room. Its sheet closes after its move, or on a tap beside it.
"use strict";
(() => {
  const bar = document.querySelector("[data-action-bar]"), sign = document.getElementById("region-status");
  if (!bar || !sign) return;
  const body = document.body, root = document.documentElement, seen = window.visualViewport;
  const MOST = 0.35, LEAST = 7.5, KEYBOARD = 120, BESIDE = 12;
  const head = document.querySelector("header.bar"), back = document.getElementById("region-takeback");

  // --- room -----------------------------------------------------------------------------------------
  let tallest = [0, 0]; // the page's width, and its greatest height at this width: without a keyboard
  function measure() {
    if (tallest[0] !== innerWidth) tallest = [innerWidth, 0];
    tallest[1] = Math.max(tallest[1], innerHeight);
    if ("typing" in body.dataset) return;
    body.removeAttribute("data-flow"); // the page's head is lower where the bar flows: that would bring the bar back
    const high = bar.offsetHeight, passing = getComputedStyle(back).position === "static" ? back.offsetHeight : 0; // a line that disappears by itself must not change the layout
    const taken = head.offsetHeight + sign.offsetHeight + high;
    const flows = high - passing > MOST * tallest[1] + 1 || tallest[1] - taken + passing < LEAST * parseFloat(getComputedStyle(root).fontSize);
    body.toggleAttribute("data-flow", flows);
    root.style.setProperty("--bar", `${flows ? 0 : high}px`); // buttons that stick elsewhere stand above the bar
    root.style.setProperty("--room", `${tallest[1] - taken - BESIDE}px`);
  }
  const sizes = new ResizeObserver(measure);
  sizes.observe(bar);
  sizes.observe(sign);
  sizes.observe(head);

  // --- a keyboard -----------------------------------------------------------------------------------
  function look() {
    const zoomed = Math.abs(seen.scale - 1) > 0.01;
    const over = zoomed ? 0 : Math.max(0, Math.round(seen.offsetTop)), under = zoomed ? 0 : Math.max(0, Math.round(innerHeight - seen.height - seen.offsetTop));
    body.toggleAttribute("data-typing", !zoomed && tallest[1] - seen.height > KEYBOARD && tallest[0] === innerWidth);
    root.style.setProperty("--over", `${over}px`);
    root.style.setProperty("--under", `${under}px`);
  }
  if (seen) for (const kind of ["resize", "scroll"]) seen.addEventListener(kind, look);
  window.addEventListener("resize", measure);
  measure();

  // --- the sign names what was touched ------------------------------------------------------------------
  function name() {
    const touched = document.querySelector(".own .cell-question:popover-open, .own input[data-says]:checked, .own details[data-says][open]"), line = sign.querySelector(".say");
    const said = touched?.checkVisibility() && "turn" in body.dataset && body.dataset.turn ? touched.dataset.says : "";
    let span = line?.querySelector(".touched");
    if (!line || (span?.textContent ?? "") === said) return;
    if (!span) { span = document.createElement("span"); span.className = "touched secret"; line.append(span); }
    span.textContent = said;
    span.hidden = !said;
  }
  const soon = () => requestAnimationFrame(name);
  for (const kind of ["change", "reset", "region:changed", "toggle"]) document.addEventListener(kind, soon, true);
  soon();

  // --- sheets ---------------------------------------------------------------------------------------
  const shut = (but) => bar.querySelectorAll("details.bar-sheet[open]").forEach((sheet) => { if (sheet !== but) sheet.open = false; });
  document.addEventListener("click", (event) => shut(event.target.closest("details.bar-sheet")));
  document.addEventListener("keydown", (event) => {
    const sheet = event.key === "Escape" && bar.querySelector("details.bar-sheet[open]");
    if (!sheet) return;
    sheet.open = false;
    sheet.querySelector("summary").focus();
  });
  document.addEventListener("htmx:after:request", (event) => {
    if (bar.contains(event.detail.ctx.sourceElement) && event.detail.ctx.response.status < 400) shut();
  });
})();
