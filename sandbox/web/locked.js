// Browsers do not send our cookie when a foreign page links here. If they have it, load the page again.

const RETRIED_AT_KEY = "tried";
const RETRY_INTERVAL_MS = 2000;

async function main() {
  const answer = await fetch("/people");
  const triedNow = Date.now() - Number(sessionStorage.getItem(RETRIED_AT_KEY)) < RETRY_INTERVAL_MS;
  if (!answer.ok || triedNow) return;
  sessionStorage.setItem(RETRIED_AT_KEY, String(Date.now()));
  const query = new URLSearchParams(location.search);
  query.delete("key");
  query.delete("ticket");
  location.replace(`/?${query}${location.hash}`);
}

main();
// Another window may have been opened with the key in the meantime.
window.addEventListener("focus", main);
