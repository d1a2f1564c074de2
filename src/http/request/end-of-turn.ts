let waiting: (() => void)[] = [];

/**
 * Calls back at the end of this turn of the event loop, in order. For answers: each write wakes the reader at the other end,
 * which under load is a large part of an answer's cost. Written right after each other, they wake it once.
 */
export function atEndOfTurn(callback: () => void): void {
  if (waiting.length === 0) setImmediate(callAll);
  waiting.push(callback);
}

function callAll(): void {
  const callbacks = waiting;
  waiting = [];
  for (const callback of callbacks) callback();
}
