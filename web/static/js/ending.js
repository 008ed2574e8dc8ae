// The ceremony of an end, by the table's clock. A page that opens during it joins in; one that opens too late shows
// nothing. It stops when the game goes on. One tap on a phone skips to the podium, another closes it.
"use strict";
(() => {
  const body = document.body, stage = document.querySelector("[data-ending-stage]");
  if (!("live" in body.dataset) || !stage) return;
  const message = document.querySelector("[data-cue-message]"), region = document.getElementById("region-ending");
  const own = body.matches(".page-seat, .page-host"), SOON = 1500, LAST = 2000;
  const emit = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));
  let playing = null, timer = null;

  // Milliseconds since its start.
  function time() {
    const there = window.companion.clock.there(performance.now());
    const now = there === null ? playing.now + 1e6 * (performance.now() - playing.heard) : there;
    return playing.skipped ?? Math.max(0, (now - playing.at) / 1e6);
  }
  const number = (part, name) => Number(part.dataset[name]);

  function look() {
    clearTimeout(timer);
    if (!playing) return;
    const at = time(), parts = [...stage.querySelectorAll("[data-at]")], scenes = [...stage.querySelectorAll("[data-scene]")];
    if (at >= playing.lasts / 1e6 && playing.skipped === undefined) { end(); return; }
    const now = scenes.filter((each) => number(each, "scene") <= at).pop();
    scenes.forEach((each) => each.classList.toggle("now", each === now));
    stage.classList.toggle("at-podium", now === scenes.at(-1));
    for (const part of parts) {
      if (number(part, "at") > at || part.classList.contains("seen")) continue;
      part.classList.add("seen");
      part.classList.toggle("told", at - number(part, "at") > SOON);
      if (at - number(part, "at") <= SOON) tell(part);
    }
    const next = Math.min(...[...parts, ...scenes].map((each) => number(each, "at") || number(each, "scene")).filter((each) => each > at), playing.lasts / 1e6);
    if (playing.skipped === undefined) timer = setTimeout(look, Math.max(16, Math.min(500, next - at)));
  }
  function tell(part) {
    message.textContent = part.dataset.say;
    emit("companion:say", { text: part.dataset.say, moment: true, last: part.matches(".end-podium") });
    if (part.dataset.tone) emit("companion:tone", { pitch: Number(part.dataset.tone), long: part.matches(".end-winner") });
  }

  function begin(detail) {
    playing = { ...detail, heard: performance.now() };
    if (time() >= playing.lasts / 1e6) { playing = null; return; }
    const rest = body.dataset.moment ? LAST - time() : 0; // the moment of the last move comes first
    if (rest > 0) timer = setTimeout(open, rest); else open();
  }
  function open() {
    stage.innerHTML = playing.html;
    stage.hidden = false;
    body.dataset.ending = String(playing.at);
    emit("companion:ending");
    look();
  }
  function end() {
    clearTimeout(timer);
    playing = null;
    stage.hidden = true;
    stage.replaceChildren();
    delete body.dataset.ending;
  }

  let left = "";
  document.addEventListener("stream:moment", ({ detail }) => {
    if (detail.kind !== "ending" || body.dataset.going || left === String(detail.at) || playing?.at === detail.at) return;
    end();
    begin(detail);
  });
  // After an undo or a correction, the sign shows that the game goes on, or another ceremony begins.
  document.addEventListener("region:changed", () => queueMicrotask(() => {
    if (!playing) return;
    const told = region?.querySelector("[data-telling]")?.dataset.telling;
    if (!document.querySelector("#region-status .sign.over, #region-status [data-moment=over]") || (told && told !== String(playing.at)) || document.querySelector(".banner")) end();
  }));
  function skip() {
    if (!playing || !own) return;
    left = String(playing.at);
    const podium = number(stage.querySelector(".end-podium"), "scene");
    if (time() >= podium) { end(); return; }
    stage.querySelectorAll("[data-at]").forEach((part) => part.classList.add("seen", "told"));
    playing.skipped = podium;
    look();
    timer = setTimeout(end, Math.max(0, playing.lasts / 1e6 - (performance.now() - playing.heard)));
  }
  stage.addEventListener("click", skip);
  document.addEventListener("keydown", (event) => { if (playing && ["Escape", "Enter", " "].includes(event.key)) skip(); });
})();
