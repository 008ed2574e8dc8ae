// A device on a match's report returns to its own page as soon as the same people play again.
"use strict";
(() => {
  const body = document.body, KEY = "live page", EVERY = 4000;
  if ("live" in body.dataset) {
    const page = { path: location.pathname, match: body.dataset.match.split(".")[0] };
    try { if (!("staged" in body.dataset)) sessionStorage.setItem(KEY, JSON.stringify(page)); } catch { /* private mode */ }
    return;
  }
  if (!location.pathname.startsWith("/past/")) return;
  let own = null;
  try { own = JSON.parse(sessionStorage.getItem(KEY)); } catch { /* as above */ }
  if (!own) return;

  const back = document.querySelector("[data-own-page]");
  let timer = null;
  async function look() {
    const answer = await fetch(`${own.path}match`, { cache: "no-store" }).catch(() => null);
    if (answer?.status === 404) { clearInterval(timer); if (back) back.hidden = true; return; }
    if (!answer?.ok || (await answer.text()) === own.match) return;
    window.companion.leave();
    location.replace(own.path);
  }
  if (back) { back.href = own.path; back.hidden = false; }
  timer = setInterval(() => { if (document.visibilityState === "visible") look(); }, EVERY);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") look(); });
  look();
})();
