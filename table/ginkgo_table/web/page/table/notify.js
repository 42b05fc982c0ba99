// A sound when it becomes my turn, and a notification while the page is out of sight, where the person wants that.

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

// Two short tones. Browsers allow sound only after a click or a key; until then it is left out.
const TONES = [660, 880]; // hertz
const TONE = 0.14; // seconds
let speaker = null;
const hasSound = () => kept("sound", false) === true;

function ring() {
  speaker ||= new AudioContext();
  speaker.resume();
  TONES.forEach((frequency, k) => {
    const [tone, volume] = [speaker.createOscillator(), speaker.createGain()];
    const start = speaker.currentTime + k * TONE;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.15, start);
    volume.gain.linearRampToValueAtTime(0, start + TONE);
    tone.connect(volume).connect(speaker.destination);
    tone.start(start);
    tone.stop(start + TONE);
  });
}

function showSound() {
  setState(byId("sound"), "aria-pressed", hasSound());
}

function chooseSound() {
  keep("sound", !hasSound());
  if (hasSound()) ring();
  showSound();
}

// `before` is the question that was open before this view.
function notifyTurn(before) {
  if (!isMyTurn() || before !== null) return;
  if (hasSound()) ring();
  if (!document.hidden || !notifies()) return;
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
  byId("sound").addEventListener("click", chooseSound);
  showNotify();
  showSound();
}
