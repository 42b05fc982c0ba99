// Questions to the server: JSON both ways. What it refuses comes as an error whose message is its sentence, with the status.

class Refused extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status; // 0: the server did not answer
  }
}

async function ask(path, sent = undefined, type = "application/json") {
  const body = type === "application/json" ? JSON.stringify(sent) : sent;
  const headers = { "accept-language": catalog.language };
  const post = { method: "POST", headers: { ...headers, "content-type": type }, body };
  let answer;
  try {
    answer = await fetch(path, sent === undefined ? { headers } : post);
  } catch {
    throw new Refused(t("page.away"), 0);
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(told.error || t("page.strange", { status: answer.status }), answer.status);
  return told;
}
