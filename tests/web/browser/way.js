// The steps on a page, in order, that send a given event; the elements are stored in `__way`. `wanted` holds the
// event's name and fields. Returns [kind, value] of each, or null if the page does not offer it.
(wanted) => {
  const texts = (value) => [value].flat().map((each) => (each === null ? "" : String(each)));
  const same = (one, other) => one.length === other.length && one.every((each, at) => each === other[at]);
  const fields = Object.entries(wanted).filter(([name]) => name !== "event").map(([name, value]) => [name, texts(value)]);

  // The settings of a form before its button sends these fields; null if it cannot send them.
  function settings(form, button) {
    const found = [];
    for (const [name, values] of fields) {
      const own = [...form.elements].filter((each) => each.name === name && (each.localName !== "button" || each === button));
      const fixed = own.filter((each) => each === button || each.type === "hidden").map((each) => each.value);
      const picker = form.querySelector(`[data-order="${name}"]`);
      const boxes = picker ? [...picker.querySelectorAll("input")] : own.filter((each) => each.type === "checkbox");
      const radios = own.filter((each) => each.type === "radio"), number = own.find((each) => each.type === "number" || each.inputMode === "numeric");
      if (fixed.length) { if (!same(fixed, values)) return null; }
      else if (number) found.push(["amount", number, values[0]]);
      else if (radios.length) {
        const radio = radios.find((each) => each.value === values[0]);
        if (!radio) return null;
        if (!radio.checked) found.push(["radio", radio, ""]);
      } else if (boxes.length) {
        for (const value of values) {
          const box = boxes.find((each) => each.value === value && !found.some((step) => step[1] === each));
          if (!box) return null;
          found.push(["check", box, ""]);
        }
      } else if (name !== "seat" && !same(values, [""]) && values.length) return null;
    }
    return found;
  }
  // What to open before touching something: folds, and the question that contains it.
  function opened(element) {
    const question = element.closest("[popover]:not(:popover-open)");
    const opener = question && document.querySelector(`[popovertarget="${question.id}"]:not([popovertargetaction])`);
    const before = opener ? [...opened(opener), ["press", opener, ""]] : [], folds = [];
    for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      if (!fold.open) folds.unshift(["press", fold.querySelector("summary"), ""]);
    }
    return [...before, ...folds];
  }
  // The card to choose before a button shows.
  function choice(button) {
    const place = button.closest('[class*="for-"]'), number = /\bfor-(\d+)/.exec(place?.className)?.[1];
    const pick = number && !button.checkVisibility() && document.getElementById(`pick-${number}`);
    return pick && !pick.checked ? [["radio", pick, ""]] : [];
  }
  for (const button of document.querySelectorAll("main button:not([type=button])")) {
    const form = button.form;
    if (!form?.matches("form.move") || form.elements.event?.value !== wanted.event) continue;
    const set = settings(form, button);
    if (!set) continue;
    const way = [...set, ...choice(button), ["send", button, ""]].flatMap((step) => [...opened(step[1]), step]);
    const once = way.filter((step, at) => way.findIndex((other) => other[1] === step[1]) === at);
    window.__way = once.map((step) => step[1]);
    return once.map(([kind, , value]) => [kind, value]);
  }
  return null;
}
