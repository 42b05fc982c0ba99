// Links of the other persons' seats, for whoever opened the table.

const otherSeats = () => (keptTable(token) || { seats: [] }).seats.filter((one) => one.token !== token);
const addressOf = (seat) => location.origin + urlOf(`seat/${encodeURIComponent(seat.token)}`);

function showLinks() {
  const seats = otherSeats();
  byId("links").hidden = seats.length === 0;
  byId("links-local").hidden = !/^(localhost|127\..*|\[::1\])$/.test(location.hostname);
  fillList(byId("seats"), seats, (one) => one.token, makeLink, fillLink);
}

function makeLink(seat) {
  const field = html("input", { readonly: true, value: addressOf(seat) });
  field.addEventListener("focus", () => field.select());
  const copy = button("", { class: "copy" }, () => copyLink(field, copy));
  return html("li", { "data-seat": seat.seat }, html("label", {}, html("b"), field), copy, html("a", { class: "button", href: addressOf(seat), target: "_blank", rel: "noopener" }));
}

function fillLink(row, seat) {
  setText(row.querySelector("b"), seat.name);
  setText(row.querySelector(".copy"), t("table.copy"));
  setText(row.querySelector("a"), t("table.sit"));
}

async function copyLink(field, copy) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand("copy")) return; // without a secure connection: what is selected can be copied by hand
  }
  setText(copy, t("table.copied"));
  setTimeout(() => setText(copy, t("table.copy")), 2000);
}

function connectLinks() {
  byId("links").addEventListener("click", () => byId("others").showModal());
}
