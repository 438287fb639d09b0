// Loads mdBook's search when somebody searches: by its button, by the key s or /, or by an address whose query has
// "search" or "highlight".
(() => {
  const button = document.getElementById("mdbook-search-toggle");
  if (!button) return;
  let loading;
  const load = () =>
    (loading ??= new Promise((loaded, failed) => {
      const script = document.createElement("script");
      Object.assign(script, { src: `${path_to_root}SEARCH`, onload: loaded, onerror: failed });
      document.head.append(script);
    }).then(() => {
      button.removeEventListener("click", search);
      document.removeEventListener("keydown", key);
    }));
  // Repeats the reader's click when the script is loaded, because only then the search answers it.
  const search = () => load().then(() => button.click());
  const key = (event) => {
    const isCommand = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (isCommand || !["s", "/"].includes(event.key) || mdbook_something_else_has_focus(event)) return;
    event.preventDefault();
    search();
  };
  button.addEventListener("click", search);
  document.addEventListener("keydown", key);
  // Submitting a form must not leave the page. mdBook's search prevents this too, but only once it is loaded.
  document.addEventListener("submit", (event) => event.preventDefault());
  if (/[?&](search|highlight)=/.test(location.search)) load();
})();
