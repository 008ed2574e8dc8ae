// The page's tones: asked once per device, off in one tap. A browser lets a page play sound after a tap; a call, a
// locked screen or the system can suspend it (iOS: "interrupted"). The next tap wakes it, and until then the control
// says that it is silent. Tones missed in between are skipped.
"use strict";
(() => {
  const body = document.body, control = document.querySelector("[data-sound]"), ask = document.querySelector("[data-sound-ask]");
  if (!control) return;
  const live = "live" in body.dataset, KEPT = live ? "sound" : "sound-calls";
  const kept = () => { try { return localStorage.getItem(KEPT) || ""; } catch { return ""; } };
  const keep = (what) => { try { localStorage.setItem(KEPT, what); } catch { /* private mode: asked again */ } };
  let audio = null, wanted = kept() === "on", slept = false;
  const asleep = () => wanted && audio?.state !== "running";

  function label() {
    control.textContent = control.dataset[!wanted ? "off" : asleep() ? "asleep" : "on"];
    body.toggleAttribute("data-sounding", audio !== null);
    if (ask) { ask.hidden = Boolean(kept()) || "staged" in body.dataset; control.hidden = !ask.hidden; }
  }
  function begin() {
    audio = new (window.AudioContext || window.webkitAudioContext)();
    audio.addEventListener("statechange", label);
    return wake();
  }
  async function wake() {
    if (!asleep()) return;
    if (audio === null || audio.state === "closed") { await begin(); return; }
    try { await audio.resume(); } catch { /* the system does not let go yet, or nobody has tapped: at the next tap */ }
    label();
  }
  async function on() {
    wanted = true;
    keep("on");
    await wake();
    chime();
    label();
  }
  function off() {
    wanted = false;
    keep("off");
    audio?.removeEventListener("statechange", label);
    audio?.close().catch(() => {});
    audio = null;
    label();
  }

  // A tap on the control of a suspended sound wakes it, like any tap; it does not switch it off.
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { slept = asleep(); }, true);
  for (const kind of ["pointerdown", "pointerup", "keydown"]) document.addEventListener(kind, wake, true);
  control.addEventListener("click", () => {
    const silent = slept || asleep();
    slept = false;
    if (!wanted || silent) on(); else off();
  });
  document.querySelector("[data-sound-yes]")?.addEventListener("click", on);
  document.querySelector("[data-sound-no]")?.addEventListener("click", off);
  document.addEventListener("visibilitychange", () => { if (audio && document.visibilityState === "visible") wake(); });
  window.addEventListener("pageshow", () => { if (audio) wake(); });
  label();

  // --- tones --------------------------------------------------------------------------------------

  function tone(pitch, start, rise, loudest, length) {
    const made = audio.createOscillator(), gain = audio.createGain();
    made.frequency.value = pitch;
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(loudest, start + rise);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    made.connect(gain).connect(audio.destination);
    made.start(start);
    made.stop(start + length + 0.02);
  }
  function chime() {
    if (audio?.state === "running") [660, 880].forEach((pitch, at) => tone(pitch, audio.currentTime + at * 0.16, 0.02, 0.2, 0.4));
  }
  // A gavel: two knocks on wood.
  function hammer() {
    [0, 0.14].forEach((after) => [190, 95].forEach((pitch) => tone(pitch, audio.currentTime + after, 0.004, 0.35, 0.11)));
  }
  // "You" only if it is public: for players whom the table openly awaits, not for a question on one page.
  const seat = live ? JSON.parse(body.dataset.cues).seat : null;
  let mine = null;
  document.addEventListener("stream:cue", ({ detail: { cue } }) => {
    if (cue.message !== "your_turn") return;
    const before = mine;
    mine = (cue.seats || []).includes(seat);
    if (mine && before === false) chime();
  });
  if (!live) document.addEventListener("companion:turn", chime);
  document.addEventListener("companion:tone", ({ detail }) => {
    if (audio?.state !== "running") return;
    if (detail.hammer) hammer(); else tone(detail.pitch, audio.currentTime, 0.01, 0.25, detail.long ? 0.6 : 0.22);
  });
})();
