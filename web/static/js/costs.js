// Shows beside an amount its cost in one's own money, and the rest, while the amount changes.
"use strict";
(() => {
  // The server's example of a thousand: "$1,000", "1 000 $".
  const written = (sample, amount) => sample.replace(/1(\D*)000/, (_, gap) => String(amount).replace(/\B(?=(\d{3})+$)/g, gap));
  function say(box) {
    const line = box.querySelector("[data-costs]"), input = box.querySelector("input");
    if (!line || !input) return;
    const { say: text, thousand, all, plus } = line.dataset, sum = (window.companion.wholeNumber(input.value) || 0) + +plus;
    line.querySelector("b").textContent = text.replace("[sum]", written(thousand, sum)).replace("[rest]", written(thousand, Math.max(0, all - sum)));
  }
  const everything = () => document.querySelectorAll("[data-amount]").forEach(say);
  document.addEventListener("input", (event) => { const box = event.target.closest("[data-amount]"); if (box) say(box); });
  document.addEventListener("region:changed", () => queueMicrotask(everything)); // after `controls.js` has restored what was typed
  everything();
})();
