// Joining, and at the shared tablet: a tap on a seat asks for its PIN, and the fourth digit that is typed is enough.
"use strict";
(() => {
  const form = document.querySelector("form:is(.join, .handover)"), pin = form?.elements.pin;
  if (!pin) return;
  form.addEventListener("click", (event) => { // not with arrow keys, which walk through the seats
    if (event.detail && event.target.closest(".choice")) setTimeout(() => pin.focus());
  });
  pin.addEventListener("input", (event) => {
    if (event.inputType === "insertText" && form.checkValidity()) form.requestSubmit(form.querySelector(".button.main"));
  });
})();
