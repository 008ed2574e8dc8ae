// The replay of a finished match: a slider over its steps, drawn by the server and each fetched once.
"use strict";
(() => {
  for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
  const bar = document.querySelector("[data-replay]");
  if (!bar) return;
  const find = (name) => bar.querySelector(`[data-${name}]`);
  const slider = find("step"), play = find("play"), speed = find("speed"), told = find("told"), count = find("count"), missing = find("missing");
  const last = Number(slider.max), PACE = 1600, AHEAD = 2, MOST = 300;
  const kept = new Map();
  let shown = Number(slider.value), timer = null, playing = false, failed = null;

  function fetched(step) {
    if (!kept.has(step)) {
      const asked = fetch(`${bar.dataset.at}${step}?v=${bar.dataset.version}`).then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      });
      asked.catch(() => kept.delete(step));
      kept.set(step, asked);
      if (kept.size > MOST) kept.delete(kept.keys().next().value);
    }
    return kept.get(step);
  }

  function draw(step, html) {
    const drawn = new DOMParser().parseFromString(html, "text/html");
    for (const old of document.querySelectorAll("[data-region]")) {
      const fresh = drawn.getElementById(old.id);
      if (fresh && fresh.innerHTML !== old.innerHTML) {
        old.replaceChildren(...fresh.childNodes);
        old.dispatchEvent(new CustomEvent("region:changed", { bubbles: true, detail: { name: old.dataset.region } }));
      }
    }
    told.textContent = drawn.querySelector("[data-told]").textContent || (step ? "…" : told.dataset.begin);
    bar.dataset.shown = step;
    history.replaceState(null, "", `?step=${step}`);
    for (let next = step + 1; next <= Math.min(last, step + AHEAD); next += 1) fetched(next).catch(() => {});
  }

  async function go(step) {
    shown = Math.max(0, Math.min(last, step));
    slider.value = shown;
    count.textContent = `${shown} / ${last}`;
    for (const each of bar.querySelectorAll("[data-go]")) each.disabled = each.dataset.go < 0 ? shown === 0 : shown === last;
    const mine = shown;
    try {
      const html = await fetched(mine);
      if (mine !== shown) return;
      missing.hidden = true;
      draw(mine, html);
      clearTimeout(failed);
    } catch {
      if (mine !== shown) return;
      missing.hidden = false;
      clearTimeout(failed);
      failed = setTimeout(() => { if (mine === shown) go(mine); }, 2000);
    }
    if (playing) next();
  }

  function next() {
    clearTimeout(timer);
    if (shown === last) return set(false);
    timer = setTimeout(() => go(shown + 1), PACE / Number(speed.value));
  }

  function set(on) {
    playing = on;
    clearTimeout(timer);
    play.textContent = on ? play.dataset.on : play.dataset.off;
    play.setAttribute("aria-pressed", on ? "true" : "false");
    if (on && shown === last) go(0); else if (on) next();
  }

  play.addEventListener("click", () => set(!playing));
  speed.addEventListener("change", () => { if (playing) next(); });
  slider.addEventListener("input", () => { set(false); go(Number(slider.value)); });
  for (const each of bar.querySelectorAll("[data-go]")) each.addEventListener("click", () => { set(false); go(shown + Number(each.dataset.go)); });
  // Regions are those of the live table, with their controls disabled.
  document.addEventListener("submit", (event) => {
    if (event.target.closest("main.replay")) { event.preventDefault(); event.stopPropagation(); }
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -last, End: last }[event.key];
    if (steps) { event.preventDefault(); set(false); go(shown + steps); }
    if (event.key === " " && !event.target.closest("button, a, summary")) { event.preventDefault(); set(!playing); }
  });
  go(shown);
})();
