// Buttons, slider, keys and automatic playback.

const SPEEDS = { "0.5 ×": 3000, "1 ×": 1500, "2 ×": 750, "4 ×": 375 };
const KEYS = [
  ["← →", "previous, next step"],
  ["[ ]", "previous, next round"],
  ["Home End", "first, last step"],
  ["Space", "play or pause"],
  ["0 to 9", "view of the seat of this number"],
  ["a", "view with all information visible"],
  ["z", "size of the picture"],
  ["t", "colors"],
  ["?", "this list"],
];
let timer = null;

function goTo(index) {
  pause();
  show(index);
}

function show(index) {
  state.at = Math.min(Math.max(index, 0), entries().length - 1);
  showStep();
}

function nextRound(step) {
  const list = entries();
  const now = entry().round;
  let index = state.at + step;
  while (index > 0 && index < list.length - 1 && (now === null || list[index].round === now)) index += step;
  if (step < 0) while (index > 0 && list[index - 1].round === list[index]?.round) index -= 1;
  goTo(index);
}

function chooseView(index) {
  if (index < 0 || index >= game.views.length || index === state.view) return;
  const number = entry().n;
  state.view = index;
  state.at = indexOf(number);
  showView();
}

const chooseSeat = (seat) => chooseView(game.views.findIndex((one) => one.seat === seat));

function chooseTheme() {
  state.theme = after(Object.keys(THEMES), state.theme);
  showTheme();
}

function chooseZoom() {
  state.zoom = after(Object.keys(ZOOMS), state.zoom);
  showZoom();
}

function play() {
  if (state.at === entries().length - 1) show(0);
  state.playing = true;
  timer = setInterval(() => {
    show(state.at + 1);
    if (state.at === entries().length - 1) pause();
  }, Number(byId("speed").value));
  showPlaying();
}

function pause() {
  clearInterval(timer);
  state.playing = false;
  showPlaying();
}

const playOrPause = () => (state.playing ? pause() : play());

function showPlaying() {
  setIcon(byId("play"), state.playing ? "pause" : "play");
  byId("play").setAttribute("aria-label", t(state.playing ? "Pause" : "Play"));
}

function showBar() {
  const end = entries().length - 1;
  const round = entry().round;
  byId("slider").value = state.at;
  byId("slider").setAttribute("aria-valuetext", `${t("Step {n}", { n: entry().n })}${round === null ? "" : `, ${roundName(round)}`}`);
  byId("counter").textContent = `${entry().n} / ${entries()[end].n}`;
  for (const id of ["first", "previous"]) byId(id).setAttribute("aria-disabled", String(state.at === 0));
  for (const id of ["next", "last"]) byId(id).setAttribute("aria-disabled", String(state.at === end));
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || byId("help").open) return;
  const { key, target } = event;
  const acts = {
    ArrowLeft: () => goTo(state.at - 1),
    ArrowRight: () => goTo(state.at + 1),
    Home: () => goTo(0),
    End: () => goTo(entries().length - 1),
    "[": () => nextRound(-1),
    "]": () => nextRound(1),
    " ": playOrPause,
    a: () => chooseSeat(null),
    z: chooseZoom,
    t: chooseTheme,
    "?": () => byId("help").showModal(),
  };
  if (byId("moves").contains(target)) Object.assign(acts, { ArrowUp: acts.ArrowLeft, ArrowDown: acts.ArrowRight });
  const act = /^[0-9]$/.test(key) ? () => chooseSeat(Number(key)) : acts[key];
  const own = target.matches("select") || (key === " " && target.matches("button, summary")); // the element's own key
  if (!act || own) return;
  event.preventDefault();
  act();
}

function connect() {
  const clicks = {
    first: () => goTo(0),
    previous: () => goTo(state.at - 1),
    play: playOrPause,
    next: () => goTo(state.at + 1),
    last: () => goTo(entries().length - 1),
    theme: chooseTheme,
    zoom: chooseZoom,
    "help-button": () => byId("help").showModal(),
  };
  for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
  for (const id of ["first", "previous", "next", "last"]) setIcon(byId(id), id);
  for (const [name, wait] of Object.entries(SPEEDS)) byId("speed").append(html("option", { value: wait, selected: wait === 1500 }, name));
  for (const [keys, what] of KEYS) byId("keys").append(html("dt", {}, t(keys)), html("dd", {}, t(what)));
  byId("slider").addEventListener("input", () => goTo(Number(byId("slider").value)));
  byId("speed").addEventListener("change", () => state.playing && (pause(), play()));
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", readAddress);
}
