// Cards: each page fetches the sheet of all pictures once it works. A long press shows a whole card.
"use strict";
(() => {
  const root = document.documentElement;
  const sheet = /url\("?([^")]+)/.exec(getComputedStyle(root).getPropertyValue("--sheet"));
  function fetchSheet() {
    const picture = new Image();
    picture.onload = () => root.classList.add("art"); // without the sheet, cards have the colour of their kind
    picture.src = sheet[1];
  }
  if (sheet && document.readyState === "complete") fetchSheet();
  else if (sheet) addEventListener("load", fetchSheet, { once: true });

  // --- a long press ----------------------------------------------------------------------------------
  const LONG = 500, FAR = 10;
  let held = null, timer = 0, shown = false;
  function show() {
    const card = held.card;
    held = null;
    if (!card.isConnected) return;
    const about = document.getElementById(`about-${card.dataset.card}`);
    shown = true;
    if (about?.popover) about.showPopover();
    else card.dispatchEvent(new CustomEvent("card:ask", { bubbles: true }));
  }
  function release() {
    clearTimeout(timer);
    held = null;
  }
  // A card shown whole has a sentence about its present effect for this seat.
  document.addEventListener("beforetoggle", (event) => {
    const place = event.newState === "open" && event.target.querySelector?.(".about-now");
    if (place) place.innerHTML = document.querySelector(`[data-about-now="${CSS.escape(event.target.dataset.card)}"]`)?.innerHTML ?? "";
  }, true);

  document.addEventListener("pointerdown", (event) => {
    release();
    shown = false;
    const card = event.isPrimary && event.button === 0 && event.target.closest("[data-card]");
    if (!card || card.closest("dialog, [popover], [data-drag]")) return; // a long press on a draggable card lifts it
    held = { card, x: event.clientX, y: event.clientY };
    timer = setTimeout(show, LONG);
  });
  document.addEventListener("pointermove", (event) => {
    if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR) release();
  });
  for (const kind of ["pointerup", "pointercancel", "dragstart"]) document.addEventListener(kind, release);
  document.addEventListener("contextmenu", (event) => { if (held || shown) event.preventDefault(); });
  document.addEventListener("click", (event) => { // a long press that showed a card must not play it, too
    if (!shown || !event.isTrusted || event.detail === 0) return;
    shown = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
})();
