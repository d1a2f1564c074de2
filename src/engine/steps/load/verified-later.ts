import type { Writer } from '../../../drivers/driver.ts';

/**
 * In place of the writer of a load that an earlier attempt has committed: its rows are read again to verify them, and none is written
 * twice. `done`: what is committed.
 */
export function verifiedLater(writer: Writer, done: { readonly rows: number }): Writer {
  return {
    alreadyDone: null,
    lockedPlace: writer.lockedPlace ?? null,
    write: async () => undefined,
    // The rows have the types by now, or none of them was committed.
    widen: async () => undefined,
    commit: async () => {
      await writer.abort();
      return { rows: done.rows };
    },
    abort: () => writer.abort(),
  };
}
