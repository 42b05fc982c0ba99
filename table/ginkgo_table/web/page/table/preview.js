// What the chosen action would bring, asked of the server for one action at a time.

const PREVIEW_WAIT = 150; // milliseconds, so that going through a list asks once
const previewed = { key: null, found: null };
let previewTimer = null;

function showPreview() {
  const action = isMyTurn() && !sending ? actionOf(chosen.action) : null;
  const key = action ? `${decision().number}:${action.id}:${catalog.language}` : null;
  if (key !== previewed.key) {
    Object.assign(previewed, { key, found: null });
    clearTimeout(previewTimer);
    if (key) previewTimer = setTimeout(() => askForPreview(key, { decision: decision().number, action: action.id }), PREVIEW_WAIT);
  }
  byId("preview").hidden = !previewed.found;
  setText(byId("preview"), previewed.found ? previewText(previewed.found) : "");
}

async function askForPreview(key, sent) {
  const found = await ask(seatPath("/preview"), sent).catch(() => null); // a decision does without
  if (previewed.key !== key) return;
  previewed.found = found;
  showPreview();
}

function previewText({ sources, counters }) {
  const named = [...sources.map((one) => ({ ...one, name: one.name === "total" ? t("total") : labelOf("source", one.name) })), ...counters];
  const changes = named.filter(({ before, least, most }) => least !== before || most !== before).map(changeText);
  return changes.length ? t("Then: {changes}", { changes: changes.join(" · ") }) : t("Then: no points and nothing else that is certain to change.");
}

function changeText({ name, before, least, most }) {
  return t("{name} {before} → {after}", { name, before, after: least === most ? least : t("{least} to {most}", { least, most }) });
}
