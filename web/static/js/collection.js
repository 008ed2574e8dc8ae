// A box's list: confirms a part of it at once, and fills in the values that a figure suggests.
"use strict";
(() => {
  document.addEventListener("click", (event) => {
    const part = event.target.closest("[data-tick-all]")?.closest("[data-part]");
    for (const row of part?.querySelectorAll("li") || []) {
      if ([...row.querySelectorAll("select")].every((field) => field.value)) row.querySelector("[name=checked]").checked = true;
    }
  });
  document.addEventListener("change", (event) => {
    const suggested = event.target.selectedOptions?.[0]?.dataset.suggests, kind = event.target.closest("li")?.querySelector(".box-kind");
    if (!suggested || !kind || (kind.value && kind.value !== kind.dataset.suggested)) return;
    kind.value = kind.dataset.suggested = suggested;
  });
})();
