// Spoken and captioned: turns, counts, and the outcome of a lot. Use local voices only: network voices upload the text.
// Skip late messages; a new one interrupts.
"use strict";
(() => {
  const body = document.body;
  if (!("live" in body.dataset)) return;
  const { words, players, seat } = JSON.parse(body.dataset.cues);
  const lang = document.documentElement.lang, own = seat !== null && seat !== undefined;
  const LATE = 1500, TOGETHER = 120, READ = 5000;
  const synth = window.speechSynthesis;
  const find = (name) => document.querySelector(`[data-${name}]`);
  const button = find("voice"), captions = find("captions"), caption = find("caption");
  const said = window.__said = [];
  const kept = {
    get: (name) => { try { return localStorage.getItem(name) === "on"; } catch { return false; } },
    set: (name, on) => { try { localStorage.setItem(name, on ? "on" : ""); } catch { /* private mode: not remembered */ } },
  };
  let speaking = kept.get("voice"), reading = kept.get("captions"), clearing = null, overdue = null;

  // --- voices ------------------------------------------------------------------------------------------

  function ownVoice() {
    const mine = (voice) => voice.localService === true && voice.lang.toLowerCase().split(/[-_]/)[0] === lang;
    const voices = (synth?.getVoices() || []).filter(mine);
    return voices.find((voice) => voice.default) || voices[0] || null;
  }
  function speak(text) {
    const voice = ownVoice();
    if (!speaking || !voice) return false;
    clearTimeout(overdue);
    synth.cancel();
    const told = new SpeechSynthesisUtterance(text);
    told.voice = voice;
    told.lang = voice.lang;
    told.rate = 1.1;
    told.onstart = () => clearTimeout(overdue);
    overdue = setTimeout(() => synth.cancel(), LATE);
    synth.speak(told);
    return true;
  }

  // --- announcements -----------------------------------------------------------------------------------

  function announce(text, aloud) {
    const spoken = aloud && speak(text);
    said.push({ text, spoken });
    if (said.length > 500) said.shift();
    caption.textContent = text;
    caption.hidden = !reading;
    clearTimeout(clearing);
    clearing = setTimeout(() => { caption.hidden = true; }, READ);
  }
  // On a seat's page only its own turn is spoken: one voice at the table is enough. Captions show everything.
  document.addEventListener("companion:say", ({ detail }) => {
    if (performance.now() - (detail.at ?? performance.now()) > LATE) return;
    const next = turn;
    if (!own && (detail.last || !detail.moment)) { clearTimeout(turning); turn = ""; }
    announce(next && detail.last && !own ? `${detail.text}. ${next}` : detail.text, !own);
  });
  document.addEventListener("companion:moment-over", sayTurn);

  let awaited = null, turn = "", turning = null;
  document.addEventListener("stream:cue", ({ detail: { cue } }) => {
    if (cue.message !== "your_turn") return;
    const before = awaited;
    awaited = cue.seats || [];
    if (before === null) return; // the first message tells whose turn it was before the page opened
    turn = sentence(before, awaited);
    clearTimeout(turning);
    // Speak the outcome before the turn: they arrive together.
    if (turn) turning = setTimeout(sayTurn, TOGETHER);
  });
  function sentence(before, now) {
    if (own) return now.includes(seat) && !before.includes(seat) ? words.your_turn : "";
    return now.length === 1 && String(now) !== String(before) ? words.turn.replace("{name}", players[now[0]]?.name || "") : "";
  }
  function sayTurn() {
    if (!turn || (body.dataset.moment && !own)) return;
    announce(turn, true);
    turn = "";
  }

  // --- switches ----------------------------------------------------------------------------------------

  function label() {
    button.hidden = !ownVoice();
    find("no-voice").hidden = Boolean(ownVoice());
    button.textContent = speaking ? button.dataset.on : button.dataset.off;
    captions.textContent = reading ? captions.dataset.on : captions.dataset.off;
  }
  if (!button) return;
  find("voice-field").hidden = false;
  label();
  synth?.addEventListener?.("voiceschanged", label);
  button.addEventListener("click", () => {
    speaking = !speaking;
    kept.set("voice", speaking);
    label();
    if (speaking) speak(button.dataset.sample);
    else synth.cancel();
  });
  captions.addEventListener("click", () => {
    reading = !reading;
    kept.set("captions", reading);
    label();
    if (!reading) caption.hidden = true;
  });
})();
