// The "?" of the sign, and explanations of cards: one dialog outside all regions, which follows the game while open.
"use strict";
(() => {
  const dialog = document.querySelector("[data-help-dialog]");
  if (!dialog) return;
  const title = dialog.querySelector("[data-help-title]"), now = dialog.querySelector("[data-help-text]");
  const cards = dialog.querySelector("[data-help-cards]"), list = cards.querySelector("ul");
  const visible = (node) => node.checkVisibility({ visibilityProperty: true });
  let asked = ""; // the region whose "?" was tapped; empty while the dialog is about one card

  // --- explanations of cards: texts in the page, by the key of the card --------------------------------
  const keyOf = (card) => card.dataset.about ?? card.dataset.card;
  const textOf = (key) => document.querySelector(`[data-about-text="${CSS.escape(key)}"]`);
  function item(text) {
    const made = document.createElement("li");
    made.append(...[...text.cloneNode(true).childNodes]);
    made.querySelectorAll("[id]").forEach((node) => node.removeAttribute("id"));
    return made;
  }
  function inSight() {
    const found = new Map();
    for (const card of document.querySelectorAll("[data-about], [data-card]")) {
      const text = !found.has(keyOf(card)) && !dialog.contains(card) && visible(card) && textOf(keyOf(card));
      if (text) found.set(keyOf(card), item(text));
    }
    return [...found.values()];
  }

  // --- opening, following, closing -------------------------------------------------------------------
  function open(heading, items) {
    title.textContent = title.dataset[heading];
    list.replaceChildren(...items);
    cards.hidden = !items.length;
    cards.querySelector("h3").hidden = heading === "card";
    now.hidden = heading === "card";
    dialog.showModal();
    dialog.scrollTop = 0;
  }
  function follow() {
    const own = document.querySelector(`#region-${CSS.escape(asked)} template[data-help-now]`);
    const words = own || document.querySelector("#region-status template[data-help-now]");
    if (!words || now.dataset.moment === words.innerHTML) return;
    now.dataset.moment = words.innerHTML;
    now.replaceChildren(words.content.cloneNode(true));
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-help]");
    if (button) {
      asked = button.closest("[data-region]").dataset.region;
      follow();
      open("now", inSight());
      return;
    }
    if (event.target === dialog || event.target.closest("[data-help-close]")) { dialog.close(); return; }
    // If a card can be chosen, or opens its own text, a tap keeps that meaning.
    const card = event.target.closest("[data-about], [data-card]");
    if (!card || event.target.closest("button, a, label, summary, dialog, [popover]")) return;
    show(card);
  });
  // A whole card: its text, and its picture if the game has a sheet.
  function show(card) {
    const text = textOf(keyOf(card)), drawn = getComputedStyle(card).getPropertyValue("--x");
    if (!text && !drawn) return;
    const made = text ? item(text) : document.createElement("li");
    if (!text) made.append(card.innerText);
    if (drawn) {
      made.classList.add("pict");
      made.dataset.card = card.dataset.card;
    }
    asked = "";
    open("card", [made]);
  }
  document.addEventListener("card:ask", (event) => show(event.target));
  document.addEventListener("region:changed", () => { if (dialog.open && asked) follow(); });
  dialog.addEventListener("close", () => { // the "?" that was tapped may have been drawn again
    const back = [...document.querySelectorAll("[data-help]")].filter(visible);
    if (asked) (back.find((each) => each.closest(`#region-${CSS.escape(asked)}`)) || back[0])?.focus({ preventScroll: true });
  });
})();
