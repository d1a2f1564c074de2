let waiting: (() => void)[] = [];

/**
 * Calls back at the end of this turn of the event loop, after everyone who asked before. For answers: each write wakes whoever reads at
 * the other end, and under load that is a good part of an answer's cost. Written one right after another they wake them once.
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
