// The coach of a first game: beside a control that this device sees for the first time, one line and two buttons.
"use strict";
(() => {
  const brought = document.querySelector("template[data-coach]");
  if (!brought || "staged" in document.body.dataset) return;
  const store = `coach ${brought.dataset.game}`, read = () => JSON.parse(localStorage.getItem(store) || "{}");
  let known;
  try { known = { seen: [], done: false, ...read() }; } catch { return; } // private mode: nothing could be dismissed for good
  if (known.done) return;
  const keep = () => { try { localStorage.setItem(store, JSON.stringify(known)); } catch { /* the disk is full: it is said again */ } };
  // On a television, hide hints automatically.
  const UNTOUCHED = "own" in document.body.dataset ? 0 : 20000;
  const lines = [...brought.content.querySelectorAll("li")];
  let card = null, line = null, timer = null;

  const control = (each) => [...document.querySelectorAll(each.dataset.control)].find((node) => node.checkVisibility({ visibilityProperty: true }));
  function remove() {
    clearTimeout(timer);
    card?.remove();
    card = line = null;
  }
  function learnt() {
    known.seen.push(line.dataset.name);
    keep();
    remove();
    look();
  }
  function put(each) {
    const own = control(each).closest("[data-region]");
    const region = each.dataset.below ? document.getElementById("region-" + each.dataset.below) : own;
    line = each;
    card = brought.content.querySelector(".coach").cloneNode(true);
    card.querySelector("p").textContent = each.textContent;
    card.style.order = getComputedStyle(region).order;
    card.querySelector("[data-coach-next]").addEventListener("click", learnt);
    card.querySelector("[data-coach-done]").addEventListener("click", () => { known.done = true; keep(); remove(); });
    region.after(card);
    if (UNTOUCHED) timer = setTimeout(learnt, UNTOUCHED);
  }
  function look() {
    if (known.done) return;
    if (line && !control(line)) remove(); // its control is gone: it is said when the control is back
    const next = line || lines.find((each) => !known.seen.includes(each.dataset.name) && control(each));
    if (next && !line) put(next);
  }
  document.addEventListener("region:changed", () => queueMicrotask(look));
  look();
})();
