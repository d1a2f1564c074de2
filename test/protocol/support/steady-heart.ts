import type { RecordedSession } from './recorded-session.ts';

/** How an executor fared that only wanted its heartbeats answered. */
export interface Steadiness {
  readonly beats: number;
  readonly slowestMs: number;
}

/** Sends heartbeats, one after another, until the returned function is called. */
export function beatSteadily(recorded: RecordedSession): () => Promise<Steadiness> {
  let going = true;
  let beats = 0;
  let slowestMs = 0;
  const done = (async () => {
    while (going) {
      const from = performance.now();
      const seen = recorded.all('onHeartbeat').length;
      recorded.session.heartbeat([]);
      await recorded.nth('onHeartbeat', seen);
      slowestMs = Math.max(slowestMs, performance.now() - from);
      beats += 1;
    }
  })();
  // A failure is told where it is awaited.
  done.catch(() => undefined);
  return async () => {
    going = false;
    await done;
    return { beats, slowestMs };
  };
}
