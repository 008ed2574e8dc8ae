// Reads the public table off a page, with its printed numbers.
() => {
  const all = (selector, from = document) => [...(from || document).querySelectorAll(selector)];
  const one = (selector, from = document) => all(selector, from)[0];
  const number = (element) => { const found = element && element.textContent.replace(/\D/g, ""); return found ? +found : null; };
  const name = (element) => element ? one(".name", element).textContent : null;
  const sign = one("#region-status .sign"), leader = one(".tote-leader");
  return {
    round: +/\d+/.exec(one(".round", sign).textContent)[0],
    moment: sign.dataset.moment, kind: sign.dataset.kind, awaited: sign.dataset.awaited,
    order: all(".queue > li").map(name),
    lot: all("#region-play .lot-cards [data-card]").map((card) => card.dataset.card),
    price: number(one(".tote-price b")), leader: leader ? +leader.dataset.seat : null,
    bids: all(".bidder").map((bidder) => number(one(".bidder-state b", bidder))),
    market: all("#region-display .market > li").map((slot) => { const card = one("[data-card]", slot); return card ? card.dataset.card : null; }),
    seats: all("#region-seats article").map((seat) => ({
      name: name(seat),
      token: number(one(".plate", seat)),
      left: number(one(".purposes-left", seat)) ?? 0,
      trains: all(".train[data-loco]", seat).map((train) => ({
        loco: train.dataset.loco,
        wagons: all(".car[data-cargo]", train).map((car) => `${car.dataset.cargo}-${number(one(".value", car))}`),
        pays: number(one(".pays b", train)),
      })),
    })),
    bank: number(one("#region-totals .total b")),
    ranking: all("#region-ending .ranking li").map((place) => [name(place), number(one(".cash", place))]),
  };
}
