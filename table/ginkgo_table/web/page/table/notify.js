// A notification when it becomes my turn while the page is out of sight, where the person wants that.

const canNotify = () => "Notification" in window && window.isSecureContext;
const notifies = () => canNotify() && Notification.permission === "granted" && kept("notify", false) === true;

function showNotify() {
  byId("notify").hidden = !canNotify() || Notification.permission === "denied";
  setState(byId("notify"), "aria-pressed", notifies());
}

async function chooseNotify() {
  const wanted = !notifies();
  keep("notify", wanted && (await Notification.requestPermission()) === "granted");
  showNotify();
}

// `before` is the question that was open before this view.
function notifyTurn(before) {
  if (!isMyTurn() || before !== null || !document.hidden || !notifies()) return;
  try {
    const notification = new Notification(game.title, { body: turnText(), tag: token, lang: catalog.language });
    notification.addEventListener("click", () => {
      window.focus();
      notification.close();
    });
  } catch {
    // some phones show none to pages; the title tells it
  }
}

function connectNotify() {
  byId("notify").addEventListener("click", chooseNotify);
  showNotify();
}
