// The page of an address that has no page: the server's reason in the person's language.

async function show() {
  showTheme();
  const { message } = await ask(location.href).catch((error) => error);
  const text = t("This page cannot be shown: {sentence}.", { sentence: message });
  document.title = byId("sentence").textContent = text;
}

async function start() {
  await loadLabels();
  connectTheme();
  languageSwitch(byId("language"), show);
  await show();
}

document.addEventListener("DOMContentLoaded", start);
