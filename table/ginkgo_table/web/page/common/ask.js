// Questions to the server: JSON both ways. What it refuses comes as an error whose message is its sentence, with the status.

// Everything is below the folder of the lobby, wherever the server or a proxy has it.
const HOME = new URL("..", document.currentScript.src);
const urlOf = (path) => new URL(path, HOME).pathname;

class Refused extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status; // 0: the server did not answer
  }
}

// Asked for what has a version that is known, the answer is null as long as it is still that.
async function ask(path, sent = undefined, { type = "application/json", known = null } = {}) {
  const body = type === "application/json" ? JSON.stringify(sent) : sent;
  const headers = { "accept-language": catalog.language };
  const post = { method: "POST", headers: { ...headers, "content-type": type }, body };
  const get = { headers: known ? { ...headers, "if-none-match": `"${known}"` } : headers };
  let answer;
  try {
    answer = await fetch(urlOf(path), sent === undefined ? get : post);
  } catch {
    throw new Refused(t("The server does not answer. Is “ginkgo table” still running?"), 0);
  }
  if (answer.status === 304) return null;
  const reply = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(reply.error || t("The server gave an answer that this page does not understand ({status}).", { status: answer.status }), answer.status);
  return reply;
}
