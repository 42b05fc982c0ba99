// What the browser keeps between visits, in localStorage. Where that is forbidden, until the page is left.

const forgotten = new Map();

function kept(name, otherwise) {
  try {
    const text = localStorage.getItem(`ginkgo.${name}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return forgotten.has(name) ? forgotten.get(name) : otherwise;
  }
}

function keep(name, value) {
  forgotten.set(name, value);
  try {
    localStorage.setItem(`ginkgo.${name}`, JSON.stringify(value));
  } catch {
    // no room or not allowed: it is kept as long as this page is open
  }
}

// Tables that were opened or visited here, the latest first:
// {token, seat, title, names, time, own}; `own` is false for seats of other persons.
const keptTables = () => {
  const list = kept("tables", []);
  return Array.isArray(list) ? list.filter((one) => one && typeof one.token === "string") : [];
};

function keepTable(table) {
  keep("tables", [table, ...keptTables().filter((one) => one.token !== table.token)].slice(0, 200));
}

function forgetTable(token) {
  keep("tables", keptTables().filter((one) => one.token !== token));
}
