// On an upright phone the panel is a sheet, which is pulled up and down at its head; the hand stays above it.

const FOLDED = 90; // pixels: a sheet that is pulled down to here is folded

function connectSheet() {
  const [panel, head] = [byId("panel"), byId("top")];
  let pulled = null; // the height of the sheet plus where the pointer was
  head.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button") || panel.offsetWidth < window.innerWidth) return;
    pulled = byId("choice").offsetHeight + event.clientY;
    head.setPointerCapture(event.pointerId);
  });
  head.addEventListener("pointermove", (event) => {
    if (pulled === null) return;
    const height = pulled - event.clientY;
    if (isFolded() !== (height < FOLDED)) fold();
    panel.style.setProperty("--sheet", `${Math.max(height, FOLDED)}px`);
  });
  for (const kind of ["pointerup", "pointercancel"]) head.addEventListener(kind, () => (pulled = null));
}
