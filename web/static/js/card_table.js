// The card table: tap a card, then a place. The held card stays held when the table is redrawn.
"use strict";
(() => {
  const table = document.querySelector("[data-card-table]");
  if (!table) return;
  const csrf = document.querySelector('meta[name="csrf"]')?.content || "";
  const board = table.querySelector("[data-card-table-board]"), message = table.querySelector("[data-card-table-message]");
  const held = table.querySelector("[data-card-table-held]"), down = table.querySelector("[data-card-table-down]");
  const AGAIN = 900;
  let card = null, shown = board.innerHTML, timer = null, busy = false;

  const cards = () => [...board.querySelectorAll("[data-card-table-card]"), ...table.querySelectorAll("[data-name-card]")];
  const same = (button) => card && button.dataset.key === card.key && (button.dataset.cardTableCard || button.dataset.nameCard) === card.card;
  function show() {
    let found = false;
    for (const button of cards()) { const on = Boolean(same(button)); found ||= on; button.setAttribute("aria-pressed", on); }
    if (card && !found) card = null;
    held.textContent = card ? held.dataset.held.replace("{card}", card.name) : held.dataset.none;
    table.classList.toggle("holding", Boolean(card));
    for (const place of table.querySelectorAll("[data-card-table-place]")) place.disabled = !card || (!place.dataset.cardTablePlace && !card.source);
  }
  function hold(button) {
    const { cardTableCard, nameCard, key, source, name, face } = button.dataset;
    card = same(button) ? null : { card: cardTableCard || nameCard, key, source: source || "", name: name || button.getAttribute("aria-label") };
    if (card) down.checked = face === "down";
    message.replaceChildren();
    show();
  }
  function put(html) {
    if (html === shown) return;
    const key = board.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    shown = html;
    board.innerHTML = html;
    show();
    if (key) [...board.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key)?.focus({ preventScroll: true });
  }
  async function look() {
    clearTimeout(timer);
    if (document.visibilityState !== "visible") return;
    if (!busy) {
      try {
        const answer = await fetch("laying/board", { cache: "no-store" });
        if (answer.ok && !busy) put(await answer.text());
      } catch { /* the page says by itself that the line is lost */ }
    }
    timer = setTimeout(look, AGAIN);
  }
  async function send(fields) {
    if (busy) return;
    busy = true;
    try {
      const answer = await fetch("laying", { method: "POST", body: new URLSearchParams(fields), headers: { "X-CSRF": csrf, "HX-Request": "true" } });
      message.innerHTML = await answer.text();
      message.classList.toggle("sr", answer.ok); // the table itself shows the move
      if (answer.ok) card = null;
    } catch { /* as above */ }
    busy = false;
    show();
    look();
  }
  const move = (place) => send({ do: "move", card: card.card, source: card.source, place, face: down.checked ? "down" : "up" });

  table.addEventListener("click", (event) => {
    const button = event.target.closest("button"), area = event.target.closest("[data-card-table-on]");
    if (button?.disabled) return;
    if (button && "cardTableDo" in button.dataset) send({ do: button.dataset.cardTableDo });
    else if (button && "cardTablePlace" in button.dataset) move(button.dataset.cardTablePlace);
    else if (button && ("cardTableCard" in button.dataset || "nameCard" in button.dataset)) hold(button);
    else if (area && card && area.querySelector("[data-card-table-place]")) move(area.dataset.cardTableOn);
  });
  table.addEventListener("keydown", (event) => { if (event.key === "Escape" && card) { card = null; show(); } });
  document.addEventListener("visibilitychange", look);
  look();
})();
