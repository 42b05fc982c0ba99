// Values of an analysis as text.

const isChance = () => game.analysis.unit === "win";

// A value as text: chances in percent, scores in points.
function valueText(value, digits = 0) {
  if (value === null) return "?";
  return isChance() ? `${(100 * value).toFixed(digits)}\u00a0%` : value.toFixed(Math.max(1, digits));
}

// A loss that would be shown as 0 is omitted.
function lossText(value) {
  const shown = valueText(value, 1);
  return value === null || Number.parseFloat(shown) === 0 ? "0" : `\u2212${shown}`;
}

const lossUnit = () => (isChance() ? "" : " points");

const isKnown = (option) => option.low !== null && option.high !== null;
const intervalText = (option) => (isKnown(option) ? `${valueText(option.low)} to ${valueText(option.high)}` : "unknown");
