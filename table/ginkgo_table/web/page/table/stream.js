// News from the server. A lost connection comes back by itself, also after the server was started anew.

const WAITS = [1000, 2000, 4000, 8000, 15000]; // milliseconds before each further try
let stream = null;
let tries = 0;
let retry = null;
let rest = null;
let isGone = false;
let heard = 0; // views that came by the stream
let pieces = []; // of the text of the last one

function listen() {
  clearTimeout(retry);
  if (stream) stream.close();
  stream = new EventSource(urlOf(seatPath("/events")) + `?language=${catalog.language}`);
  stream.addEventListener("open", () => {
    tries = 0;
    showConnection("");
  });
  stream.addEventListener("view", (event) => hear(JSON.parse(event.data)));
  stream.addEventListener("change", (event) => hear(edited(JSON.parse(event.data))));
  stream.addEventListener("error", () => {
    showConnection("away");
    if (stream.readyState === EventSource.CLOSED) later();
  });
}

// A change has new pieces, and [start, stop] for some of the view before. Every stream begins with a whole view, so nothing can
// be missed by it.
const edited = (edits) => edits.flatMap((edit) => (Array.isArray(edit) ? pieces.slice(...edit) : [edit]));

function hear(all) {
  heard += 1;
  pieces = all;
  showConnection("");
  showView(JSON.parse(pieces.join("")));
}

// The browser tries again where the connection broke; after an answer that was a refusal we have to.
function later() {
  clearTimeout(retry);
  retry = setTimeout(async () => {
    if (await refresh()) listen();
  }, WAITS[Math.min(tries++, WAITS.length - 1)]);
}

// Ask for the view once. Returns whether there may be more to hear. What the stream tells in the meantime is newer, or is followed
// by what is.
async function refresh() {
  const before = heard;
  try {
    const view = await ask(seatPath(), undefined, { known: game && game.version });
    if (view && heard === before) showView(view);
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
  isGone = true;
  clearTimeout(retry);
  clearTimeout(rest);
  if (stream) stream.close();
  showNotice(t("This table cannot be shown: {sentence}.", { sentence: error.message }));
  return false;
}

// A browser has few connections to a server: a page that is out of sight for a while gives its own back, and asks now and then.
const OUT_OF_SIGHT = 60_000;
const EASE = 10_000;

function ease() {
  if (stream) stream.close();
  rest = setTimeout(async () => (await refresh()) && ease(), EASE);
}

function onSight() {
  clearTimeout(rest);
  if (document.hidden) rest = setTimeout(ease, OUT_OF_SIGHT);
  else if (!isGone && stream && stream.readyState === EventSource.CLOSED) listen();
}

const refreshIfAway = () => (stream && stream.readyState === EventSource.OPEN ? undefined : refresh());
