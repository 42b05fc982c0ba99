// A value with its interval on a scale, drawn with a label.

function interval(option, [least, most], label) {
  const x = (value) => 6 + (108 * (value - least)) / (most - least || 1);
  const made = drawing({ viewBox: "0 0 120 16", role: "img", "aria-label": label, "data-interval": true }, "");
  made.append(svg("title", {}, label));
  if (option.low !== null && option.high !== null) {
    made.append(svg("line", { class: "s-ink", x1: x(option.low), x2: x(option.high), y1: 8, y2: 8, "stroke-width": 2 }));
  }
  if (option.value !== null) made.append(svg("circle", { class: "f-ink", cx: x(option.value), cy: 8, r: 4 }));
  return made;
}
