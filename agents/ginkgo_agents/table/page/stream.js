// News from the server. A lost connection comes back by itself, also after the server was started anew.

const WAITS = [1000, 2000, 4000, 8000, 15000]; // milliseconds before each further try
let stream = null;
let tries = 0;
let retry = null;

function listen() {
  clearTimeout(retry);
  if (stream) stream.close();
  stream = new EventSource(seatPath("/events"));
  stream.addEventListener("open", () => {
    tries = 0;
    showConnection("");
  });
  stream.addEventListener("view", (event) => {
    showConnection("");
    showView(JSON.parse(event.data));
  });
  stream.addEventListener("error", () => {
    showConnection("away");
    if (stream.readyState === EventSource.CLOSED) later();
  });
}

// The browser tries again where the connection broke; after an answer that was a refusal we have to.
function later() {
  clearTimeout(retry);
  retry = setTimeout(async () => {
    if (await refresh()) listen();
  }, WAITS[Math.min(tries++, WAITS.length - 1)]);
}

// Ask for the view once. Returns whether there may be more to hear.
async function refresh() {
  try {
    showView(await ask(seatPath()));
    return true;
  } catch (error) {
    if (error.status === 404 || error.status === 410) return leave(error);
    if (game === null) showNotice(error.message);
    else showConnection("away");
    later();
    return false;
  }
}

// The table is gone: nothing more is asked.
function leave(error) {
  clearTimeout(retry);
  if (stream) stream.close();
  showNotice(t("table.gone", { sentence: error.message }));
  return false;
}

const refreshIfAway = () => (stream && stream.readyState === EventSource.OPEN ? undefined : refresh());
