// A recorded game from a file: its text goes to the server, which makes the viewer's page of it.

const LONGEST = 4 * 1024 * 1024; // bytes that the server takes

async function openRecord(file) {
  const say = (text) => showRefusal(text ? new Refused(text, 0) : null, "unread");
  if (file.size > LONGEST) {
    say(t("This file is longer than {megabytes} MB, which is more than any recorded game.", { megabytes: LONGEST / 1024 / 1024 }));
    return;
  }
  say("");
  byId("drop").setAttribute("aria-busy", "true");
  try {
    const text = await file.text().catch(() => {
      throw new Refused(t("This file cannot be read."), 0);
    });
    const { replay } = await ask("api/replays", text, { type: "text/plain" });
    location.assign(urlOf(`replays/${replay}`));
  } catch (error) {
    showRefusal(error, "unread");
  }
  byId("drop").removeAttribute("aria-busy");
  byId("record").value = ""; // so that the same file can be chosen again
}

function connectRecorded() {
  byId("record").addEventListener("change", () => {
    if (byId("record").files.length) openRecord(byId("record").files[0]);
  });
  const over = (is) => byId("drop").classList.toggle("over", is);
  // anywhere on the page: a file beside the field would make the browser leave
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget || over(false));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const files = event.dataTransfer.files;
    if (files.length > 1) showRefusal(new Refused(t("One file at a time, please."), 0), "unread");
    else if (files.length) openRecord(files[0]);
  });
}
