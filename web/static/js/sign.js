// The sign speaks of a control: a tap on it, or on the banner, leads there where the control is off the screen.
"use strict";
(() => {
  const body = document.body;
  if (!("live" in body.dataset)) return;
  const WANTED = ["[data-press]", "#region-actions", "#region-turnup", "#region-holdings", "#region-play", "#region-board", "#region-supply", "#region-goals"];
  const CONTROL = "button:not([disabled], [type=button]), [data-press], summary, input:not([type=hidden], [disabled]), select";

  // --- which control the sign means ---
  function control() {
    const own = body.dataset.own !== undefined;
    if (own && !body.dataset.turn && !document.querySelector("#region-status .sign.mine")) return null;
    for (const place of own ? WANTED : ["#region-turnup"]) {
      const found = [...document.querySelectorAll(place)].flatMap((each) => (each.matches("[data-press]") ? [each] : [...each.querySelectorAll("form.move, [data-choose]")]));
      const form = found.find((each) => each.checkVisibility());
      // The button that sends: a focused field would bring up the keyboard, and hide what the sign asks.
      if (form) return form.matches(CONTROL) ? form : form.querySelector("button.main") || form.querySelector(CONTROL) || form;
    }
    return null;
  }
  function lead(place) {
    place.scrollIntoView({ block: "center", behavior: "auto" });
    (place.matches(CONTROL) ? place : place.querySelector(CONTROL))?.focus({ preventScroll: true });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".banner a[href^='#'], .where[href^='#']");
    const place = link ? document.querySelector(link.hash) : !event.target.closest("a, button, summary, input, [popover], dialog") && event.target.closest("#region-status .sign") && body.dataset.away !== undefined && control();
    if (!place || !place.checkVisibility()) return;
    event.preventDefault();
    lead(place);
  });

  // --- an arrow on the sign while that control is off the screen ---
  let waits = false;
  function look() {
    waits = false;
    const place = control(), box = place?.getBoundingClientRect();
    body.toggleAttribute("data-away", Boolean(box) && (box.top > innerHeight - 24 || box.bottom < 24));
  }
  function soon() {
    if (waits) return;
    waits = true;
    requestAnimationFrame(look);
  }
  document.addEventListener("region:changed", soon);
  window.addEventListener("scroll", soon, { passive: true });
  window.addEventListener("resize", soon);
  soon();
})();
