// A page's offers: the data of each button that sends a move, in the page's order; the buttons are stored in
// `__offers`.
() => {
  const folded = (button) => Boolean(button.closest("details:not([open])"));
  window.__offers = [...document.querySelectorAll("main form.move button:not([type=button]):enabled")].filter(
    (button) => !button.closest("[popover]:not(:popover-open)") && (folded(button) || button.checkVisibility()),
  );
  return window.__offers.map((button) => Object.fromEntries(new FormData(button.form, button)));
}
