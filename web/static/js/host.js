// The host's page: the card for joining folds once everybody has joined, and opens when a seat waits for somebody
// again.
"use strict";
(() => {
  const card = document.querySelector("[data-joining]");
  if (!card) return;
  const awaited = () => Boolean(document.querySelector("#region-people .waiting"));
  let before = awaited();
  document.addEventListener("region:changed", (event) => {
    if (event.detail.name !== "people" || awaited() === before) return;
    before = !before;
    card.open = before;
  });
})();
