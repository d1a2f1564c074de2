import { secretsEqual, sha256 } from '../../base/ids.ts';
import type { ExecutorIdentity } from '../../protocol/control-plane.ts';
import type { Store } from '../../store/store.ts';
import { selectExecutor } from './executor-store.ts';

const KNOWN_MS = 1_000;
const KNOWN_MAX = 10_000;

interface Known {
  readonly tokenHash: string;
  readonly readAt: number;
}

/**
 * Session tokens of executors, kept for a second, so that a call costs no read of its own. A token that was replaced or taken
 * away is refused at once where that was done (`forget`), and within the second everywhere else.
 */
export class SessionTokens {
  readonly #store: Store;
  readonly #known = new Map<number, Known>();
  /** Grows with every `forget`: what was read before it is not kept after it. */
  #forgotten = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  async isValid({ executor_id, session_token }: ExecutorIdentity): Promise<boolean> {
    const hash = sha256(session_token);
    const known = this.#known.get(executor_id);
    if (known !== undefined && performance.now() - known.readAt < KNOWN_MS) {
      // Any other token may be newer than what is known.
      if (secretsEqual(known.tokenHash, hash)) return true;
    }
    const forgotten = this.#forgotten;
    const readAt = performance.now();
    const row = await selectExecutor(this.#store.read, executor_id);
    if (row === null || row.status === 'gone' || !secretsEqual(row.session_token_hash, hash)) return false;
    if (forgotten === this.#forgotten) {
      if (this.#known.size >= KNOWN_MAX) this.#known.clear();
      this.#known.set(executor_id, { tokenHash: row.session_token_hash, readAt });
    }
    return true;
  }

  /** Call after the commit that changed it, and before telling anybody. */
  forget(executorId: number): void {
    this.#forgotten += 1;
    this.#known.delete(executorId);
  }
}
