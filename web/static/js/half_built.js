// An unfinished choice survives a reload and other people's moves, in this tab only: cards picked in order, one of
// several, a tray, a pile. Never on a tablet that people pass around.
"use strict";
(() => {
  const body = document.body;
  if (!("live" in body.dataset) || "handed" in body.dataset) return;
  const store = `built ${location.pathname}`, CHOICES = "[data-pick], [data-stack], input[type=radio]:not([data-keep])";
  let kept = {};
  try { // forget unfinished choices of other pages in this tab
    for (const other of Object.keys(sessionStorage)) if (other.startsWith("built ") && other !== store) sessionStorage.removeItem(other);
    kept = JSON.parse(sessionStorage.getItem(store) || "{}");
  } catch { /* private mode: not remembered */ }
  function write() {
    try { sessionStorage.setItem(store, JSON.stringify(kept)); } catch { /* as above */ }
  }

  // --- a form's question: its event and all its choices ---
  const forms = () => [...document.querySelectorAll("form.move")].filter((form) => form.querySelector(CHOICES));
  function question(form) {
    const values = [...form.querySelectorAll("input[type=checkbox], input[type=radio], [data-put]")].map((each) => each.value || each.dataset.put);
    return `${form.querySelector("input[name=event]")?.value} ${values.sort().join(" ")}`;
  }
  const lists = (form, name) => [...form.querySelectorAll(name)];
  const inside = (list) => [...list.querySelectorAll("input[type=hidden]")].map((input) => input.value);

  function save(form) {
    kept[question(form)] = {
      picked: lists(form, "[data-pick]:not([data-tray])").map((each) => (each.order || []).map((box) => box.value)),
      trays: lists(form, "[data-tray]").map((each) => inside(each.querySelector("[data-tray-list]"))),
      piles: lists(form, "[data-stack]").map(inside),
      one: lists(form, "input[type=radio]:checked:not([data-keep])").map((each) => [each.name, each.value]),
    };
    write();
  }
  function restore(form) {
    const was = kept[question(form)];
    if (!was || form.dataset.built !== undefined) return;
    form.dataset.built = "";
    for (const [name, value] of was.one) for (const radio of lists(form, "input[type=radio]")) if (radio.name === name) radio.checked = radio.value === value;
    lists(form, "[data-pick]:not([data-tray])").forEach((picker, at) => {
      const boxes = [...picker.querySelectorAll("input[type=checkbox]")];
      picker.order = (was.picked[at] || []).map((value) => boxes.find((box) => box.value === value)).filter(Boolean);
      for (const box of boxes) box.checked = picker.order.includes(box);
      picker.dispatchEvent(new Event("change", { bubbles: true }));
    });
    lists(form, "[data-tray]").forEach((tray, at) => { for (const value of was.trays[at] || []) tray.querySelector(`[data-put="${CSS.escape(value)}"]`)?.click(); });
    lists(form, "[data-stack]").forEach((pile, at) => {
      for (const value of was.piles[at] || []) pile.append([...pile.children].find((item) => item.querySelector("input").value === value) || "");
      pile.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }

  // --- forget answers to former questions ---
  function look() {
    const asked = forms(), names = new Set(asked.map(question));
    for (const name of Object.keys(kept)) if (!names.has(name)) delete kept[name];
    write();
    asked.forEach(restore);
  }
  const changed = (event) => { const form = event.target.closest("form.move"); if (form?.querySelector(CHOICES)) { form.dataset.built = ""; save(form); } };
  document.addEventListener("change", changed);
  document.addEventListener("click", (event) => { if (event.target.closest("[data-put], [data-take-out], [data-clear], [data-raise]")) setTimeout(() => event.target.isConnected && changed(event)); });
  document.addEventListener("htmx:after:request", (event) => {
    const form = event.detail.ctx.sourceElement?.closest?.("form.move");
    if (form && event.detail.ctx.response.status < 400) { delete kept[question(form)]; write(); }
  });
  document.addEventListener("region:changed", () => queueMicrotask(look));
  look();
})();
