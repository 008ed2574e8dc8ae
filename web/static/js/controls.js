// Behaviour of controls: amounts, picking cards in order, a tray, hiding one's own screen.
"use strict";
(() => {
  const kept = new Map(); // unfinished input, by data-keep
  const chosen = new Set(); // keys of unfinished input that is one of several options
  const open = new Map(); // whether each fold is open, by data-fold
  const root = document.documentElement;

  // --- typed text survives a reload, in this tab only; never on a tablet that is handed around ---
  const store = "handed" in document.body.dataset ? "" : `typed ${location.pathname}`;
  function survive(name, value) {
    if (!store) return;
    try { sessionStorage.setItem(store, JSON.stringify({ ...JSON.parse(sessionStorage.getItem(store) || "{}"), [name]: value })); } catch { /* private mode: not remembered */ }
  }
  try { if (store) Object.entries(JSON.parse(sessionStorage.getItem(store) || "{}")).forEach(([name, value]) => kept.set(name, value)); } catch { /* as above */ }

  // --- amounts --- Like `whole_number` on the server: 1200, $1,200, 1 200 $, 1’200, 1.200. NaN for anything else.
  const GROUPED = /^[1-9]\d{0,2}([ ,.'])\d{3}(?:\1\d{3})*$/, NO_CENTS = /^(.*\d)([,.])00$/;
  const AROUND = /^(-?) *(\$?) *(-?)(.*?) *(\$?)$/;
  const ALIKE = [[/\p{Cf}/gu, ""], [/\p{Zs}/gu, " "], [/[‘’ʼ′´`]/g, "'"], [/\u2212/g, "-"], [/＄/g, "$"], [/，/g, ","], [/．/g, "."]];
  const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g; // Arabic and wide ones
  function wholeNumber(text) {
    const plain = ALIKE.reduce((said, [from, to]) => said.replace(from, to), text).replace(OTHER_DIGITS, (digit) => digit.charCodeAt(0) & 15).trim();
    const [, before, left, behind, body, right] = AROUND.exec(plain) || [];
    if ((before && behind) || (left && right) || body === undefined) return NaN;
    const cents = NO_CENTS.exec(body), whole = cents ? cents[1] : body, grouped = GROUPED.exec(whole);
    const digits = grouped && grouped[1] !== cents?.[2] ? whole.replaceAll(grouped[1], "") : whole;
    return /^\d{1,15}$/.test(digits) ? +`${before || behind}${digits}` : NaN;
  }
  window.companion = window.companion || {};
  window.companion.wholeNumber = wholeNumber;
  const bounds = (box) => ({ low: +box.dataset.low, high: +box.dataset.high, step: +box.dataset.step });
  function setAmount(box, value) {
    const input = box.querySelector("input");
    const { low, high, step } = bounds(box);
    const most = high - (high % step);
    input.value = Math.max(low, Math.min(most, value));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function add(box, more) {
    const input = box.querySelector("input");
    const { step } = bounds(box);
    const now = Math.round((wholeNumber(input.value) || 0) / step) * step;
    setAmount(box, now + more);
  }
  function judge(box) { // red if the rules will refuse it; the server gives the reason
    const input = box.querySelector("input"), amount = wholeNumber(input.value), { low, high, step } = bounds(box);
    input.setAttribute("aria-invalid", input.value !== "" && !(amount >= low && amount <= high && amount % step === 0));
  }

  // --- picking ---
  function scope(element) {
    return element.closest("form") || element.parentElement;
  }
  function show(picker, picked, least, most) {
    const button = picker.querySelector("[data-picked]") || scope(picker).querySelector("[data-picked]");
    if (!button) return;
    button.disabled = picked < least || picked > most;
    const count = button.querySelector("[data-count]");
    if (count) count.textContent = least === most || picker.dataset.of ? `${picked} / ${picker.dataset.of || least}` : picked;
  }
  function refresh(picker) {
    const form = scope(picker);
    const least = +picker.dataset.pick;
    const most = +(picker.dataset.most || picker.dataset.pick);
    if (picker.dataset.tray) {
      show(picker, picker.querySelectorAll("[data-tray-list] button").length, least, most);
      return;
    }
    const boxes = [...picker.querySelectorAll("input[type=checkbox]")];
    const order = picker.order || (picker.order = boxes.filter((box) => box.checked));
    picker.order = order.filter((box) => box.checked).concat(boxes.filter((box) => box.checked && !order.includes(box)));
    for (const box of boxes) {
      box.disabled = !box.checked && picker.order.length >= most;
      const nth = box.parentElement.querySelector("[data-nth]");
      if (nth) nth.textContent = box.checked ? picker.order.indexOf(box) + 1 : "";
    }
    if (picker.dataset.order) {
      form.querySelectorAll("input[data-ordered]").forEach((input) => input.remove());
      for (const box of picker.order) {
        form.append(hidden(picker.dataset.order, box.value));
      }
    }
    show(picker, picker.order.length, least, most);
  }
  function hidden(name, value) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = value;
    input.dataset.ordered = "";
    return input;
  }

  // --- an ordered pile: a tap puts a card on top; it leaves out the card in the other field ---
  function restack(form) {
    for (const pile of form.querySelectorAll("[data-stack]")) {
      let taken = new FormData(form).get(pile.dataset.stack);
      for (const item of pile.children) {
        const input = item.querySelector("input"), gone = Boolean(taken) && input.value === taken;
        if (gone) taken = "";
        item.hidden = input.disabled = gone;
      }
    }
  }
  document.addEventListener("click", (event) => {
    const item = event.target.closest("[data-raise]")?.closest("li");
    if (!item) return;
    item.parentElement.append(item);
    restack(item.closest("form"));
    item.querySelector("button").focus();
  });
  document.addEventListener("change", (event) => {
    if (event.target.form?.querySelector("[data-stack]")) restack(event.target.form);
  });

  // --- set-up: a predefined set, or values that the server draws ---
  function choose(picker, values) {
    const boxes = [...picker.querySelectorAll("input[type=checkbox]")];
    for (const box of boxes) box.checked = values.includes(box.value);
    refresh(picker);
  }
  async function draw(button, picker) {
    const form = new URLSearchParams(new FormData(button.form));
    form.set(button.name, button.value);
    const page = await (await fetch(button.formAction, { method: "POST", body: form })).text();
    const drawn = new DOMParser().parseFromString(page, "text/html").getElementById(picker.id);
    choose(picker, [...drawn.querySelectorAll("input:checked")].map((box) => box.value));
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-pick] button[formaction]");
    if (!button) return;
    const picker = button.closest("[data-pick]");
    event.preventDefault();
    for (const each of button.dataset.with?.split(" ").filter(Boolean) || []) {
      const [name, value] = each.split("=");
      button.form.elements[name].value = value;
    }
    if (button.dataset.values) choose(picker, button.dataset.values.split(" "));
    else draw(button, picker).catch(() => { button.form.noValidate = true; button.form.requestSubmit(button); });
  });

  // --- the tray: cards that turn up one after the other, some of them alike ---
  function put(button) {
    const tray = button.closest("[data-tray]");
    const list = tray.querySelector("[data-tray-list]");
    if (list.children.length >= +tray.dataset.pick) return;
    const item = document.createElement("li");
    const out = document.createElement("button");
    out.type = "button";
    const kind = button.closest(".kind").querySelector(".cargo");
    out.textContent = `${kind ? kind.textContent + " " : ""}${button.textContent.trim()} ×`;
    out.dataset.takeOut = "";
    item.append(out, hidden(tray.dataset.tray, button.dataset.put));
    list.append(item);
    refresh(tray);
  }

  // --- one's own screen ---
  function shut(on) {
    root.toggleAttribute("data-screen-shut", on);
    try { sessionStorage.setItem("screen", on ? "shut" : ""); } catch { /* private mode: not remembered */ }
  }
  try { if (sessionStorage.getItem("screen") === "shut") shut(true); } catch { /* as above */ }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const box = button.closest("[data-amount]");
    if (box && button.dataset.add) add(box, +button.dataset.add);
    else if (box && button.dataset.set) setAmount(box, +button.dataset.set);
    else if (button.dataset.put) put(button);
    else if ("takeOut" in button.dataset) { const tray = button.closest("[data-tray]"); button.parentElement.remove(); refresh(tray); }
    else if ("clear" in button.dataset) { const tray = button.closest("[data-tray]"); tray.querySelector("[data-tray-list]").replaceChildren(); refresh(tray); }
    else if ("screen" in button.dataset) shut(!root.hasAttribute("data-screen-shut"));
  });
  document.addEventListener("change", (event) => {
    const picker = event.target.closest("[data-pick]");
    if (picker) refresh(picker);
  });
  document.addEventListener("input", (event) => {
    const box = event.target.closest?.("[data-amount]");
    if (box) judge(box);
    const name = event.target.dataset?.keep;
    if (!name) return;
    kept.set(name, event.target.value);
    if (event.target.type === "radio") chosen.add(name);
    else survive(name, event.target.value);
  });
  document.addEventListener("reset", (event) => { // forget the input of a form that is reset
    for (const { dataset: { keep } } of event.target.elements) if (keep) { kept.delete(keep); chosen.delete(keep); }
  });
  document.addEventListener("toggle", (event) => {
    const fold = event.target.dataset && event.target.dataset.fold;
    if (fold && event.target.isConnected) open.set(fold, event.target.open);
  }, true);

  // --- the menu: a tap beside it or Escape closes it ---
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  // --- a keypad for a number, for screens without keys ---
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-digit]");
    const input = key && key.closest("[data-pad]").querySelector("input");
    if (!input) return;
    const full = input.value.length >= input.max.length; // one digit too many starts over
    input.value = key.dataset.digit ? (full ? "" : input.value) + key.dataset.digit : input.value.slice(0, -1);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });

  // --- restore input that a swap would discard ---
  function restore(part) {
    if (!part.querySelectorAll) return;
    for (const fold of part.querySelectorAll("[data-fold]")) {
      if (open.has(fold.dataset.fold)) fold.open = open.get(fold.dataset.fold);
    }
    for (const input of part.querySelectorAll("[data-keep]")) {
      const value = kept.get(input.dataset.keep);
      if (value === undefined) continue;
      if (input.type === "radio") { input.checked = input.value === value; continue; }
      input.value = value;
      const box = input.closest("[data-amount]");
      if (box && wholeNumber(value) < bounds(box).low) input.value = box.dataset.low;
      if (box) judge(box);
    }
    for (const picker of part.querySelectorAll("[data-pick]")) refresh(picker);
  }
  document.addEventListener("region:changed", () => { // forget choices that are no longer offered
    for (const name of chosen) if (!document.querySelector(`[data-keep="${CSS.escape(name)}"]`)) { kept.delete(name); chosen.delete(name); }
  });
  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) if (node.nodeType === 1 && !("ordered" in node.dataset)) restore(node.parentElement || node);
  }).observe(document.body, { childList: true, subtree: true });
  restore(document.body);
})();
