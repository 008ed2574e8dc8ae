// Cards: every page fetches the whole sheet of pictures once it works; a long press shows a card whole.
"use strict";
(() => {
  const root = document.documentElement;
  const sheet = /url\("?([^")]+)/.exec(getComputedStyle(root).getPropertyValue("--sheet"));
  function fetchSheet() {
    const picture = new Image();
    picture.onload = () => root.classList.add("art"); // until then, and where it fails, a card has the colour of its kind
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
  // A card shown whole says what it does for this seat now.
  document.addEventListener("beforetoggle", (event) => {
    const place = event.newState === "open" && event.target.querySelector?.(".about-now");
    if (place) place.innerHTML = document.querySelector(`[data-about-now="${CSS.escape(event.target.dataset.card)}"]`)?.innerHTML ?? "";
  }, true);

  document.addEventListener("pointerdown", (event) => {
    release();
    shown = false;
    const card = event.isPrimary && event.button === 0 && event.target.closest("[data-card]");
    if (!card || card.closest("dialog, [popover], [data-drag]")) return; // a finger that rests on a draggable one lifts it
    held = { card, x: event.clientX, y: event.clientY };
    timer = setTimeout(show, LONG);
  });
  document.addEventListener("pointermove", (event) => {
    if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR) release();
  });
  for (const kind of ["pointerup", "pointercancel", "dragstart"]) document.addEventListener(kind, release);
  document.addEventListener("contextmenu", (event) => { if (held || shown) event.preventDefault(); });
  document.addEventListener("click", (event) => { // the finger that looked at a card does not play it
    if (!shown || !event.isTrusted || event.detail === 0) return;
    shown = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
})();
