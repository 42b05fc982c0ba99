// Lists that are changed in place: what stays keeps its element, and with it the focus and the scroll position.

// Children of a node for the items, by key; `make` makes one, `change` brings it up to date. A child that stays is not moved
// unless its neighbours have changed.
function fillList(node, items, key, make, change = () => {}) {
  const old = new Map([...node.children].map((child) => [child.dataset.key, child]));
  let next = node.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    const child = old.get(name) || make(item);
    old.delete(name);
    child.dataset.key = name;
    change(child, item);
    if (child === next) next = next.nextElementSibling;
    else node.insertBefore(child, next);
  }
  for (const child of old.values()) child.remove();
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function setState(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

// One stop for Tab in a group of buttons; arrow keys move inside it.
function oneStop(buttons, current) {
  const focused = buttons.find((one) => one === document.activeElement);
  const stop = focused || current || buttons.find((one) => one.tabIndex === 0) || buttons[0];
  for (const one of buttons) one.tabIndex = one === stop ? 0 : -1;
}

function moveInside(event, buttons) {
  const at = buttons.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const next = buttons[(to + buttons.length) % buttons.length];
  for (const one of buttons) one.tabIndex = one === next ? 0 : -1;
  next.focus();
}
