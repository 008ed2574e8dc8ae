// A seat's own take-back: a line that shrinks with the time left by the table's clock, and one tap that counts once.
"use strict";
(() => {
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const SECOND = 1000;

  function follow(bar) {
    const lasts = +bar.dataset.lasts / 1e6, seen = performance.now();
    const line = bar.querySelector("[data-line]"), count = bar.querySelector("[data-left]");
    function look() {
      if (!bar.isConnected) return;
      const until = window.companion.clock.here(+bar.dataset.until) ?? seen + lasts;
      const left = Math.min(lasts, until - performance.now()), seconds = Math.ceil(left / SECOND);
      bar.hidden = left <= 0;
      if (bar.hidden) return;
      if (count.textContent !== `${seconds} s`) count.textContent = `${seconds} s`;
      line.style.transform = `scaleX(${(calm.matches ? seconds * SECOND : left) / lasts})`;
      requestAnimationFrame(look);
    }
    look();
  }

  const region = document.getElementById("region-takeback");
  if (!region) return;
  const begin = () => { const bar = region.querySelector("[data-takeback]"); if (bar) follow(bar); };
  region.addEventListener("animationend", (event) => { if ("told" in event.target.dataset) event.target.hidden = true; });
  region.addEventListener("region:changed", begin);
  region.addEventListener("submit", (event) => {
    if (event.target.dataset.sent) { event.preventDefault(); event.stopPropagation(); }
    event.target.dataset.sent = "1";
  }, true);
  document.addEventListener("htmx:error", () => { delete region.querySelector("[data-takeback]")?.dataset.sent; });
  begin();
})();
