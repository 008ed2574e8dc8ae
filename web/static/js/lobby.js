// The lobby: an open page asks for changes each second, so that seats fill as people arrive; the host drags people into
// order. Every button also works without this script.
"use strict";
// If a box's picture fails to load, show the game's sign below it.
for (const scene of document.querySelectorAll(".box-scene")) {
  const gone = () => scene.remove();
  if (scene.complete && !scene.naturalWidth) gone(); else scene.addEventListener("error", gone);
}
(() => {
  const place = document.querySelector("[data-lobby]");
  if (!place) return;
  const EVERY = place.closest(".hero") ? 2000 : 1000, STILL = 6;
  const seen = () => (place.querySelector("[data-seen]") || place).dataset.seen;
  let held = null, going = false;

  function go(where) {
    // Do not replace a first page on which somebody is typing. A lobby page always leads on.
    const typing = document.activeElement?.matches("input:not([type=radio])") && place.closest(".hero");
    if (going || typing) return;
    if (where === location.pathname) { anew(where); return; }
    going = true;
    window.companion.leave();
    location.replace(where);
  }
  // The first page updates without reloading, which would interrupt what its reader has just begun.
  async function anew(where) {
    const page = new DOMParser().parseFromString(await (await fetch(where)).text(), "text/html").querySelector("[data-lobby]");
    if (going || !page) return;
    place.innerHTML = page.innerHTML;
    Object.assign(place.dataset, page.dataset);
  }
  // After a tap on a box or a link, ignore answers to earlier requests.
  window.addEventListener("beforeunload", () => { going = true; setTimeout(() => { going = false; }, 5000); });
  window.addEventListener("pageshow", () => { going = false; });

  function put(html) {
    // A newer answer makes this one out of date.
    const [id, now] = seen().split("."), [newId, then] = (html.match(/data-seen="([^"]+)"/)?.[1] || ".").split(".");
    if (id === newId && +then < +now) return;
    const label = place.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    place.innerHTML = html;
    if (label) place.querySelector(`[aria-label="${CSS.escape(label)}"]`)?.focus({ preventScroll: true });
    count();
  }
  async function take(answer) {
    if (going) return;
    if (answer.headers.get("X-Go")) go(answer.headers.get("X-Go"));
    else if (answer.status === 200 && !held) put(await answer.text());
  }
  async function look() {
    if (!document.hidden && !held) {
      try { await take(await fetch(`${place.dataset.lobby}?seen=${encodeURIComponent(seen())}`)); } catch { /* the next look tells */ }
    }
    setTimeout(look, EVERY);
  }
  setTimeout(look, EVERY);
  document.addEventListener("visibilitychange", () => { if (document.hidden === false && held) end(); });

  // The start button names the number of players and is disabled until a start is allowed. Values that depend on the
  // number of players follow it.
  function count() {
    const start = document.querySelector("[data-start]");
    if (!start) return;
    const here = place.querySelectorAll("[data-number]").length;
    start.disabled = !place.querySelector("[data-fits]");
    for (const list of document.querySelectorAll(".by-players")) {
      const each = [...list.querySelectorAll("[data-players]")];
      const now = each.filter((item) => +item.dataset.players <= here).pop() || each[0];
      for (const item of each) item.setAttribute("aria-current", item === now);
      list.parentElement.querySelector("input").placeholder = now.querySelector("b").textContent;
    }
  }
  count();

  // --- the host's forms: the page and its input stay --------------------------------------------------

  function say(form, html) {
    form.querySelector("[data-answer]")?.remove();
    if (!html) return;
    const box = document.createElement("div");
    box.dataset.answer = "";
    box.setAttribute("role", "alert");
    box.innerHTML = html;
    form.append(box);
  }
  async function send(form, action, body) {
    try {
      const answer = await fetch(action, { method: "POST", body, headers: { "HX-Request": "true" } });
      if (answer.status >= 400) { say(form, await answer.text()); return; }
      say(form, "");
      if (form.dataset.act === "add") { form.reset(); form.querySelector("input[name=name]").focus(); }
      const me = form.querySelector('[value="phone"]');
      if (me && body.get("device") === "phone") me.remove();
      await take(answer);
    } catch { form.submit(); }
  }
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-act]");
    if (!form) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    send(form, form.action, body);
  });

  // --- one drag moves a person to another place -------------------------------------------------------

  function end() {
    held?.seat.classList.remove("dragged");
    if (held) held.seat.style.translate = "";
    held = null;
  }
  place.addEventListener("pointerdown", (event) => {
    const seat = event.target.closest("[data-number]");
    if (!seat?.querySelector("form") || event.target.closest("button") || !event.isPrimary || event.button) return;
    if (event.pointerType === "touch" && !event.target.closest(".face-plate")) return; // elsewhere a finger scrolls
    held = { seat, x: event.clientX, y: event.clientY, moved: false };
    seat.setPointerCapture(event.pointerId);
  });
  place.addEventListener("pointermove", (event) => {
    if (!held || !event.isPrimary) return;
    const by = [event.clientX - held.x, event.clientY - held.y];
    held.moved ||= Math.hypot(...by) > STILL;
    if (!held.moved) return;
    held.seat.classList.add("dragged");
    held.seat.style.translate = `${by[0]}px ${by[1]}px`;
  });
  place.addEventListener("pointerup", (event) => {
    if (!held || !event.isPrimary) return;
    const { seat, moved } = held, form = seat.querySelector("form");
    end();
    if (!moved) return;
    const seats = [...place.querySelectorAll("[data-number]")], others = seats.filter((each) => each !== seat);
    const near = others.map((each) => { const box = each.getBoundingClientRect(); return Math.hypot(event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2); });
    const to = others[near.indexOf(Math.min(...near))];
    if (!to) return;
    const body = new URLSearchParams({ csrf: form.elements.csrf.value, number: seat.dataset.number, place: seats.indexOf(to) });
    send(form, new URL("move", form.action), body);
  });
  place.addEventListener("pointercancel", end);
})();
