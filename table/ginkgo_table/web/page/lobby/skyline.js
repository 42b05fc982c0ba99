// The sign of a game in the lobby: a small city that follows from its name, so that every game has one of its own.

const WALLS = ["f-blue", "f-orange", "f-green", "f-purple", "f-sky", "f-red", "f-yellow"];

// Random numbers from a text: mulberry32 over a hash of FNV-1a.
function randomOf(text) {
  let seed = 2166136261;
  for (const sign of text) seed = Math.imul(seed ^ sign.codePointAt(0), 16777619);
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function house(x, width, height, wall, random) {
  const [top, right] = [60 - height, x + width];
  const roofs = ["", `L${x + width / 2} ${top - 6}`, `L${x} ${top - 5}`]; // flat, gable, shed
  const parts = [svg("path", { d: `M${x} 60L${x} ${top}${roofs[random(3)]}L${right} ${top}L${right} 60z`, class: wall })];
  for (let y = top + 4; y < 54; y += 7) {
    for (let at = x + 3; at + 3 <= x + width - 2; at += 5) {
      if (random(4)) parts.push(svg("rect", { x: at, y, width: 2.6, height: 3.6, class: "f-light", opacity: 0.85 }));
    }
  }
  return parts;
}

function skyline(name) {
  const random = randomOf(name);
  const start = random(WALLS.length);
  const parts = [svg("rect", { width: 96, height: 60, class: "f-well" })];
  parts.push(svg("circle", { cx: 12 + random(72), cy: 12 + random(6), r: 6, class: "f-yellow" }));
  let count = 0;
  for (let x = 4; x < 80; count += 1) {
    const width = 10 + random(3) * 4;
    parts.push(...house(x, Math.min(width, 92 - x), 14 + random(6) * 5, WALLS[(start + count * 3) % WALLS.length], random));
    x += width + random(2) * 2;
  }
  parts.push(svg("rect", { y: 59, width: 96, height: 1.5, class: "f-dim" }));
  return svg("svg", { class: "gk", viewBox: "0 0 96 60", "aria-hidden": "true" }, ...parts);
}
