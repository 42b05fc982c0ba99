// The explanations of a first game: a sentence for each kind of decision, when it comes for the first time. The browser knows which
// table is guided, and the number of the first decision of each kind there.

function showGuide() {
  for (const link of [byId("learn"), byId("learn-more")]) {
    link.hidden = !game.learn;
    link.href = localizedUrl(`learn/${game.game}`);
  }
  const { guided } = keptTable(token) || {};
  byId("guide").hidden = !guided || !isMyTurn() || !isNew(guided) || !hasText(`guide:${decision().kind}`);
  if (!byId("guide").hidden) setText(byId("guide-text"), t(`guide:${decision().kind}`));
}

// Whether this is the first decision of its kind.
function isNew(guided) {
  const { kind, number } = decision();
  const firsts = guided === true ? {} : guided;
  if (!(kind in firsts)) keepInTable(token, { guided: { ...firsts, [kind]: number } });
  return number <= (firsts[kind] ?? number);
}

function connectGuide() {
  byId("guide-off").addEventListener("click", () => {
    keepInTable(token, { guided: false });
    showGuide();
    focusOn(...FIRST_PICK);
  });
}
