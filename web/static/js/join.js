// Joining, and at the shared tablet: a tap on a seat asks for its PIN, and the fourth digit submits it. A scanned
// address fills in the room's PIN, which is then removed from the address.
"use strict";
(() => {
  const form = document.querySelector("form:is(.join, .handover)"), pin = form?.elements.pin;
  if (form?.elements.room && location.search) history.replaceState(null, "", location.pathname);
  if (!pin) return;
  form.addEventListener("click", (event) => { // not with arrow keys, which move through the seats
    if (event.detail && event.target.closest(".choice")) setTimeout(() => pin.focus());
  });
  const button = form.querySelector(".button.main"), PATIENCE = 5000;
  let sent = -Infinity;
  pin.addEventListener("input", (event) => {
    if (event.inputType === "insertText" && form.checkValidity()) form.requestSubmit(button);
  });
  form.addEventListener("submit", (event) => { // submit once: the last digit submits, and people then often tap the button
    if (performance.now() - sent < PATIENCE) { event.preventDefault(); return; }
    sent = performance.now();
    window.companion.leave(button);
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) sent = -Infinity; });
})();
