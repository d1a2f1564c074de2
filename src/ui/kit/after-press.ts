/** A press that lasts longer holds nothing back: browsers do not tell the end of each, as of one on a scrollbar. */
const pressMsMax = 1000;
/** A tap's click comes after its `pointerup`, in a task of its own. */
const clickDelayMs = 30;
const pressEnds = ['pointerup', 'pointercancel', 'keyup'] as const;

/**
 * Runs what changes the page at once, or after the press in progress: a button that moves or is replaced between its press and its
 * release gets no click.
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
