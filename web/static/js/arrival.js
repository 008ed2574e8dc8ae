// A page that appears by itself ignores taps meant for the previous page: a PIN submits itself at its last digit while
// the finger moves to the button, and a rematch begins under a finger that scrolls the ranking.
"use strict";
(() => {
  const KEY = "left by itself", BLIND = 400, MEANT = 1000, NEAR = 24;
  window.companion = window.companion || {};

  // Call this before a script leads to another page. `button` is the one that people may still be about to tap.
  window.companion.leave = (button) => {
    const box = button?.getBoundingClientRect(), view = window.visualViewport;
    const [x, y] = [view?.offsetLeft || 0, view?.offsetTop || 0]; // an open keyboard pushes a page up
    const place = box && [box.left - x - NEAR, box.top - y - NEAR, box.right - x + NEAR, box.bottom - y + NEAR];
    try { sessionStorage.setItem(KEY, JSON.stringify({ at: Date.now(), place })); } catch { /* private mode: no guard */ }
  };

  let left = null;
  try {
    left = JSON.parse(sessionStorage.getItem(KEY));
    sessionStorage.removeItem(KEY);
  } catch { /* as above */ }
  if (!left) return;

  const shown = Date.now();
  function isMeant({ clientX: x, clientY: y }) {
    const now = Date.now(), [x0, y0, x1, y1] = left.place || [];
    return now - shown < BLIND || (now - left.at < MEANT && x >= x0 && x <= x1 && y >= y0 && y <= y1);
  }
  let meant = false;
  function swallow(event) { event.preventDefault(); event.stopImmediatePropagation(); }
  window.addEventListener("pointerdown", (event) => { meant = isMeant(event); if (meant) swallow(event); }, true);
  window.addEventListener("click", (event) => { if (meant && event.detail) swallow(event); }, true);
})();
