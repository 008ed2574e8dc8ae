// A guided first turn. While this seat is awaited, one tip at a time appears beside its target, each once per device. A
// tip disappears when its control is used, on "Next", or by itself; one tap ends all tips. Taps beside its buttons pass
// through.
"use strict";
(() => {
  const body = document.body, brought = document.querySelector("template[data-guide-steps]");
  if (!brought || "staged" in body.dataset) return;
  const ring = document.querySelector("[data-guide-ring]"), said = document.querySelector("[data-guide-said]");
  const again = document.querySelector("[data-guide-again]"), tip = brought.content.querySelector("[data-guide-tip]");
  const next = tip.querySelector("[data-guide-next]");
  const STAYS = 20000, READ = 3000, ANY = "any", LEAST = 44;
  const steps = [...brought.content.querySelectorAll("li")].map((each) => ({ ...each.dataset, at: JSON.parse(each.dataset.at), text: each.textContent }));

  // --- tips seen on this device, or in private mode on this page -----------------------------------------
  const store = `guide ${brought.dataset.game}`;
  let known = { seen: [], done: false };
  try { known = { ...known, ...JSON.parse(localStorage.getItem(store) || "{}") }; } catch { /* private mode */ }
  const keep = () => { try { localStorage.setItem(store, JSON.stringify(known)); } catch { /* private mode, or a full disk */ } };

  // --- choosing the step ----------------------------------------------------------------------------------
  let step = null, since = 0, timer = null, asked = false, resting = false, paged = false;
  const onScreen = (node) => { const part = seen(node); return Boolean(part) && part.bottom - part.top >= Math.min(LEAST, node.getBoundingClientRect().height); };
  function find(selector) {
    const all = [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility({ visibilityProperty: true }));
    return all.find(onScreen) || all[0];
  }
  const targets = (each) => each.at.map(find).filter(Boolean);
  const sign = () => document.querySelector("#region-status .sign");
  const mine = () => Boolean(sign()?.matches(".mine"));
  const never = () => Boolean(document.querySelector("#region-press .press-bar, .sign.over"));
  const stopped = () => never() || Boolean(document.querySelector(".banner")) || "moment" in body.dataset || Boolean(body.dataset.offline);
  const inSight = (each) => targets(each).some(onScreen);
  const due = (each) => !known.seen.includes(each.name) && (each.moment === ANY ? mine() || asked : mine() && each.moment === sign().dataset.moment) && targets(each).length > 0;

  // --- showing and hiding -----------------------------------------------------------------------------------
  function hide() {
    clearTimeout(timer);
    tip.remove();
    ring.hidden = true;
    said.textContent = "";
    step = null;
    paged = false;
  }
  function learnt() {
    known.seen.push(step.name);
    known.done = steps.every((each) => known.seen.includes(each.name));
    keep();
    hide();
  }
  function end() {
    known.done = true;
    asked = false;
    keep();
    hide();
  }
  // Not while somebody uses its buttons. Perhaps nobody was looking, so the next tip waits for activity.
  function wait() {
    clearTimeout(timer);
    timer = setTimeout(() => { if (tip.contains(document.activeElement) || document.hidden) wait(); else { resting = true; learnt(); } }, STAYS);
  }
  function show(each) {
    step = each;
    since = performance.now();
    tip.querySelector("p").textContent = said.textContent = each.text;
    next.textContent = steps.some((other) => other !== each && due(other)) ? next.dataset.more : next.dataset.last;
    wait();
    put();
  }
  function look(lead = false) {
    if (known.done || resting || document.querySelector("dialog[open]")) return;
    if (step && (stopped() || !due(step))) { if (performance.now() - since > READ) learnt(); else hide(); }
    if (stopped()) return;
    if (step) { put(); return; }
    const each = steps.find((one) => due(one) && (lead || inSight(one)));
    if (!each) return;
    if (lead && !inSight(each)) targets(each)[0].scrollIntoView({ block: "center" });
    show(each);
    if (lead && !onScreen(tip)) {
      tip.style.scrollMargin = `${sign().getBoundingClientRect().bottom + GAP}px 0 0`; // keep it from stopping under the sign
      tip.scrollIntoView({ block: "nearest" });
    }
  }

  // --- placing the tip ----------------------------------------------------------------------------------------
  const GAP = 11, EDGE = 4, SHARE = .25, PHONE = 832, CONTROL = "button, a, input, label, summary, .cell.lit";
  const box = ({ left, top, width, height }) => ({ left, top, right: left + width, bottom: top + height });
  const over = (one, other) => Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) * Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
  const between = (least, value, most) => Math.max(least, Math.min(value, most));
  function screen() {
    const { offsetLeft: left = 0, offsetTop: top = 0, width = innerWidth, height = innerHeight } = window.visualViewport || {};
    return { left: left + EDGE, top: top + EDGE, right: left + width - EDGE, bottom: top + height - EDGE };
  }
  // The part of a node that is on the screen and not under the sign or the bar.
  function seen(node) {
    const free = screen(), rect = box(node.getBoundingClientRect());
    const above = apart(sign(), node, rect), below = apart(document.querySelector(".action-bar"), node, rect);
    const found = {
      left: Math.max(rect.left, free.left), top: Math.max(rect.top, free.top, above ? above.bottom : 0),
      right: Math.min(rect.right, free.right), bottom: Math.min(rect.bottom, free.bottom, below ? below.top : Infinity),
    };
    return found.right > found.left && found.bottom > found.top ? found : null;
  }
  function apart(other, node, rect) {
    if (!other?.checkVisibility() || other.contains(node) || node.contains(other)) return null;
    const found = box(other.getBoundingClientRect());
    return over(found, rect) ? found : null;
  }
  function spots(at, wide, high, free) {
    const across = [(at.left + at.right - wide) / 2, at.left, at.right - wide].map((left) => between(free.left, left, free.right - wide));
    const along = between(free.top, (at.top + at.bottom - high) / 2, free.bottom - high);
    return [
      ...across.map((left) => ({ side: "below", left, top: at.bottom + GAP })), ...across.map((left) => ({ side: "above", left, top: at.top - GAP - high })),
      { side: "right", left: at.right + GAP, top: along }, { side: "left", left: at.left - GAP - wide, top: along },
    ].map((spot) => ({ ...spot, right: spot.left + wide, bottom: spot.top + high }));
  }
  function best(at, wide, high, free, taken, controls) {
    const fits = (spot) => spot.left >= free.left && spot.top >= free.top && spot.right <= free.right && spot.bottom <= free.bottom && !taken.some((each) => over(spot, each));
    const cost = (spot) => controls.reduce((sum, each) => sum + over(spot, each), 0);
    return spots(at, wide, high, free).filter(fits).map((spot) => ({ ...spot, cost: cost(spot) })).sort((one, other) => one.cost - other.cost)[0];
  }
  function put() {
    const all = targets(step), free = screen(), top = sign();
    if (paged) { lay(null, seen(all[0])); return; } // leaving the page for a moment would scroll it
    const region = all[0].closest(".action-bar") || all[0].closest("[data-region]");
    tip.className = "guide-tip";
    if (tip.previousElementSibling !== region && tip.nextElementSibling !== region) region.after(tip);
    const { width: wide, height: high } = tip.getBoundingClientRect();
    const small = innerWidth > PHONE || high <= SHARE * (free.bottom - free.top + 2 * EDGE);
    const rects = all.map((node) => seen(node)).filter(Boolean);
    const taken = [top, ...document.querySelectorAll(".action-bar, [data-press-dock]")].filter((node) => node?.checkVisibility()).map((node) => box(node.getBoundingClientRect()));
    const controls = [...document.querySelectorAll(CONTROL)].filter((node) => !tip.contains(node)), boxes = (nodes) => nodes.map((node) => box(node.getBoundingClientRect()));
    taken.push(...boxes(controls.filter((node) => all[0].contains(node)))); // the tip covers no other control in the target either
    const found = small && rects.map((at) => [at, best(at, wide, high, free, [...taken, at], boxes(controls))]).find(([, spot]) => spot);
    if (!found) flow(region);
    lay(found?.[1], found?.[0] || seen(all[0]));
  }
  function lay(spot, at) {
    ring.hidden = !at;
    if (at) Object.assign(ring.style, { left: `${at.left}px`, top: `${at.top}px`, width: `${at.right - at.left}px`, height: `${at.bottom - at.top}px` });
    if (!spot) return;
    tip.classList.add(spot.side);
    tip.style.translate = `${Math.round(spot.left)}px ${Math.round(spot.top)}px`;
    tip.style.setProperty("--x", `${between(16, (at.left + at.right) / 2 - spot.left, spot.right - spot.left - 16)}px`);
    tip.style.setProperty("--y", `${between(16, (at.top + at.bottom) / 2 - spot.top, spot.bottom - spot.top - 16)}px`);
  }
  // If there is no room beside the target, the tip is in the page, before it or below the sign, and covers nothing. It
  // disappears only when the target is used, because the content below then moves up.
  function flow(region) {
    paged = true;
    clearTimeout(timer);
    if (!region.contains(sign())) region.before(tip);
    tip.classList.add("in-page");
    tip.style.translate = "";
    tip.style.order = getComputedStyle(region).order;
  }

  // --- reacting to the page -----------------------------------------------------------------------------------
  let planned = false;
  function soon() {
    if (planned) return;
    planned = true;
    requestAnimationFrame(() => { planned = false; look(); });
  }
  tip.addEventListener("click", (event) => {
    if (event.target.closest("[data-guide-end]")) end();
    else if (event.target.closest("[data-guide-next]")) { learnt(); look(true); }
  });
  document.addEventListener("click", ({ target }) => {
    if (step && !tip.contains(target) && targets(step)[0]?.contains(target)) { learnt(); soon(); }
  });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape" && step) end(); });
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, ({ target }) => { if (resting && !tip.contains(target)) { resting = false; soon(); } });
  for (const kind of ["region:changed", "companion:moment", "companion:moment-over", "change", "toggle", "close"]) document.addEventListener(kind, soon, true);
  window.addEventListener("resize", () => { paged = false; });
  for (const kind of ["scroll", "resize"]) { window.addEventListener(kind, soon, { passive: true }); window.visualViewport?.addEventListener(kind, soon); }
  new ResizeObserver(soon).observe(body); // a late font or part of the page moves the target
  new MutationObserver(soon).observe(body, { attributeFilter: ["data-offline"] });

  // --- the "?" shows the tips again -------------------------------------------------------------------------
  document.addEventListener("click", ({ target }) => {
    if (target.closest("[data-help]")) again.hidden = never();
    if (!target.closest("[data-guide-again]")) return;
    known = { seen: [], done: false };
    asked = true;
    resting = false;
    hide();
    again.closest("dialog").close();
    soon();
  });
  soon();
})();
