// A link from elsewhere comes without our cookie. If the browser has it nevertheless, ask for the page again.

const TRIED = "tried";
const SOON_MS = 2000;

async function main() {
  const answer = await fetch("/people");
  const triedNow = Date.now() - Number(sessionStorage.getItem(TRIED)) < SOON_MS;
  if (!answer.ok || triedNow) return;
  sessionStorage.setItem(TRIED, String(Date.now()));
  const query = new URLSearchParams(location.search);
  query.delete("key");
  query.delete("ticket");
  location.replace(`/?${query}${location.hash}`);
}

main();
// Another window may have been opened with the key meanwhile.
window.addEventListener("focus", main);
