/** A longer press no longer delays anything: browsers do not report the end of every press, such as one on a scrollbar. */
const pressMsMax = 3_000;
/** The click of a tap follows its `pointerup` in a separate task. */
const clickDelayMs = 30;
const pressEnds = ['pointerup', 'pointercancel', 'keyup'] as const;

/**
 * Runs an update of the page now, or after the press in progress: a button that moves or is replaced between press and release gets
 * no click.
 */
export function afterPress(act: () => void): void {
  if (document.querySelector(':active') === null) {
    act();
    return;
  }
  const ended = new AbortController();
  const finish = (delayMs: number) => {
    ended.abort();
    clearTimeout(patience);
    setTimeout(act, delayMs);
  };
  const patience = setTimeout(() => finish(0), pressMsMax);
  for (const end of pressEnds) {
    addEventListener(end, () => finish(clickDelayMs), { capture: true, signal: ended.signal });
  }
}
