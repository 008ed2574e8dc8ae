// A page about an update continues by itself, even while the table restarts.
"use strict";
(() => {
  const sheet = document.querySelector("[data-updating]"), EVERY = 1500;
  if (!sheet) return;
  const away = sheet.querySelector("[data-away]");
  async function look() {
    const answer = await fetch(sheet.dataset.updating, { cache: "no-store" }).catch(() => null);
    away.hidden = Boolean(answer?.ok);
    if (answer?.ok && (await answer.text().catch(() => sheet.dataset.mark)) !== sheet.dataset.mark) location.replace(location.href);
    else setTimeout(look, EVERY);
  }
  setTimeout(look, EVERY);
})();
