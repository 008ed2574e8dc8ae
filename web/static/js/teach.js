// Enrolling cards: the live picture beside the button that captures a card, and forms that are sent once.
"use strict";
(() => {
  const csrf = document.querySelector('meta[name="csrf"]')?.content || "";
  const picture = document.querySelector("[data-teach-picture]");
  document.querySelectorAll(".page-teach form[method=post]").forEach((form) => form.addEventListener("submit", (event) => {
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "1"; // a double tap takes one picture
    setTimeout(() => { delete form.dataset.sent; }, 15000);
  }));
  window.addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => { delete form.dataset.sent; }));
  if (!picture) return;
  const SOON = 300, WATCH = 3000;
  let watched = 0, at = "";
  async function look() {
    if (document.visibilityState === "visible") {
      try {
        if (Date.now() - watched > WATCH) {
          watched = Date.now();
          fetch("camera/watch", { method: "POST", body: new URLSearchParams(), headers: { "X-CSRF": csrf, "HX-Request": "true" } }).catch(() => {});
        }
        const answer = await fetch("camera/live.json", { cache: "no-store" });
        const seen = answer.ok ? await answer.json() : {};
        if (seen.at && seen.at !== at) await new Promise((done) => {
          const image = new Image();
          image.onload = () => { at = seen.at; picture.src = image.src; picture.hidden = false; done(); };
          image.onerror = done;
          image.src = `camera/live.jpg?${seen.at}`;
          setTimeout(done, 5000);
        });
      } catch { /* the button says what is wrong */ }
    }
    setTimeout(look, SOON);
  }
  look();
})();
