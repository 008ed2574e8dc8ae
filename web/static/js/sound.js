// The page's tones. A call, a locked screen or the system can put them to sleep (iOS: "interrupted"): the next tap wakes
// them, and until then the control says that they are silent. Tones that come meanwhile are not made up for.
"use strict";
(() => {
  const control = document.querySelector("[data-sound]");
  if (!control) return;
  let audio = null, slept = false;
  const asleep = () => audio !== null && audio.state !== "running";

  function label() {
    control.textContent = control.dataset[audio === null ? "off" : asleep() ? "asleep" : "on"];
    document.body.toggleAttribute("data-sounding", audio !== null);
  }
  function begin() {
    audio = new (window.AudioContext || window.webkitAudioContext)();
    audio.addEventListener("statechange", label);
    return wake();
  }
  async function wake() {
    if (!asleep()) return;
    if (audio.state === "closed") { await begin(); return; }
    try { await audio.resume(); } catch { /* the system does not let go yet, or nobody has tapped: at the next tap */ }
    label();
  }
  function end() {
    audio.removeEventListener("statechange", label);
    audio.close().catch(() => {});
    audio = null;
  }

  // A tap on the control of a silent sound wakes it, as any tap does; it is not switched off by that.
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { slept = asleep(); }, true);
  for (const kind of ["pointerdown", "pointerup", "keydown"]) document.addEventListener(kind, wake, true);
  control.addEventListener("click", async () => {
    const silent = slept || asleep();
    slept = false;
    if (audio === null || silent) { await (audio === null ? begin() : wake()); chime(); } else end();
    label();
  });
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") wake(); });
  window.addEventListener("pageshow", wake);

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
  document.addEventListener("companion:turn", chime);
  document.addEventListener("companion:tone", ({ detail }) => {
    if (audio?.state === "running") tone(detail.pitch, audio.currentTime, 0.01, 0.25, detail.long ? 0.6 : 0.22);
  });
})();
