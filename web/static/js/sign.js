// The sign refers to a control: a tap on the sign, the banner or the line below scrolls to it if it is off the screen.
"use strict";
(() => {
  const CONTROL = "button:not([disabled], [type=button]), summary, input:not([type=hidden], [disabled]), select";
  if (!("live" in document.body.dataset)) return;

  function lead(place) {
    place.scrollIntoView({ block: "center", behavior: "auto" });
    (place.matches(CONTROL) ? place : place.querySelector("button.main") || place.querySelector(CONTROL))?.focus({ preventScroll: true });
  }
  // On shared screens the sign's control may be below; a seat's own is in its action bar.
  function below(event) {
    if (event.target.closest("a, button, summary, input, [popover], dialog") || !event.target.closest("#region-status .sign")) return null;
    const form = "own" in document.body.dataset ? null : document.querySelector("#region-turnup form.move");
    const box = form?.getBoundingClientRect();
    return box && (box.top > innerHeight - 24 || box.bottom < 24) ? form : null;
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".banner a[href^='#'], .where[href^='#'], .action-bar a[href^='#']");
    const place = link ? document.querySelector(link.hash) : below(event);
    if (!place?.checkVisibility()) return;
    event.preventDefault();
    if (link?.closest(".action-bar")) place.scrollIntoView({ block: "start", behavior: "auto" });
    else lead(place);
  });
})();
