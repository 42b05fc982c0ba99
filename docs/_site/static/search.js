// Sphinx's search finds names that contain the letters of a word, and its excerpts need pages that can be read.
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = location.protocol !== "file:"; // browsers refuse to read local files
  const stemmer = new Stemmer();
  const found = Search.performObjectSearch;
  Search.performObjectSearch = (term, terms) =>
    found(term, terms).flatMap((result) => {
      const parts = result[1].split(".");
      const words = parts.flatMap((part) => part.split(/_|(?<=[a-z])(?=[A-Z])/)).map((word) => stemmer.stemWord(word.toLowerCase()));
      const known = words.includes(stemmer.stemWord(term)) || parts.some((part) => part.toLowerCase() === term);
      return known ? [result.with(4, result[4] - 2 * parts.length)] : []; // public names are short
    });
});
