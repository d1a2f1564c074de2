const storageKey = 'headgate.reloaded-at';
const againMs = 30_000;

/**
 * A page that was opened before an update of the server asks for files that are gone: it is loaded anew. Not twice in a row, in case
 * that the files are missing for another reason.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (Date.now() - last < againMs) return;
    sessionStorage.setItem(storageKey, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
