// What the server has written to be read: how to play a game, or its rules. Here are language and colors, and the way to a first game.

const about = location.pathname.split("/").at(-1); // the game

async function start() {
  document.title = document.querySelector("h1").textContent;
  await loadLabels();
  const here = location.pathname.includes("/learn/");
  if (here && document.querySelector("article").lang !== catalog.language) return readIn();
  connectTheme();
  languageSwitch(byId("language"), readIn);
  byId("first").addEventListener("click", () => {
    keep("first", about); // the lobby opens it
    location.assign(urlOf(""));
  });
}

const readIn = () => location.replace(`?language=${catalog.language}`);

document.addEventListener("DOMContentLoaded", start);
