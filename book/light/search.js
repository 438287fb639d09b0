// The search of mdBook, loaded when somebody searches: by its button, by one of its keys, or by an address with a
// search or a highlight.
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
  // Clicks again, once the script is there to answer.
  const search = () => load().then(() => button.click());
  const key = (event) => {
    const isCommand = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (isCommand || !["s", "/"].includes(event.key) || mdbook_something_else_has_focus(event)) return;
    event.preventDefault();
    search();
  };
  button.addEventListener("click", search);
  document.addEventListener("keydown", key);
  // As mdBook's search does it: submitting a form does not leave the page.
  document.addEventListener("submit", (event) => event.preventDefault());
  if (/[?&](search|highlight)=/.test(location.search)) load();
})();
