// Returns the regions of this page that differ from the server's current rendering.
async () => {
  const anew = new DOMParser().parseFromString(await (await fetch(location.href, { cache: "no-store" })).text(), "text/html");
  const said = (region) => {
    const copy = region.cloneNode(true);
    copy.querySelectorAll(".you, [data-answer], [data-nth], [data-count]").forEach((each) => each.remove());
    return copy.textContent.replace(/\s+/g, " ").trim();
  };
  return [...document.querySelectorAll("[data-region]")].filter((region) => {
    const other = anew.getElementById(region.id);
    return !other || said(region) !== said(other);
  }).map((region) => [region.id, said(region), said(anew.getElementById(region.id) || document.createElement("i"))]);
}
