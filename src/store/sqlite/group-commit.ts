import { CompiledQuery, type Kysely, type Transaction } from 'kysely';

const GROUP_WRITES_MAX = 64;
/** The first of a group waits no longer than this, and the write that passes it, for its commit. */
const GROUP_MS_MAX = 10;

const SAVE = CompiledQuery.raw('savepoint one_write');
const KEEP = CompiledQuery.raw('release one_write');
const UNDO = CompiledQuery.raw('rollback to one_write');

interface Write<Tables> {
  /** Resolves to what tells its caller of the success. */
  run(tx: Transaction<Tables>): Promise<() => void>;
  fail(error: unknown): void;
}

export interface GroupCommitOptions<Tables> {
  readonly groupMsMax?: number;
  readonly beforeCommit?: (tx: Transaction<Tables>) => Promise<void>;
}

/**
 * Commits writes that are waiting at the same time together, since a durable commit costs many times what a small write does. Each
 * has a savepoint: one that fails undoes its own changes alone. Nobody hears of a write before the commit, and all of a group fail
 * if that fails.
 */
export class GroupCommit<Tables> {
  readonly #db: Kysely<Tables>;
  readonly #groupMsMax: number;
  readonly #beforeCommit: (tx: Transaction<Tables>) => Promise<void>;
  readonly #waiting: Write<Tables>[] = [];
  #working: Promise<void> | null = null;

  /** `beforeCommit`: the last step of each group, for what is cheaper for all of its writes than for each. Default: nothing. */
  constructor(
    db: Kysely<Tables>,
    { groupMsMax = GROUP_MS_MAX, beforeCommit = async () => undefined }: GroupCommitOptions<Tables> = {},
  ) {
    this.#db = db;
    this.#groupMsMax = groupMsMax;
    this.#beforeCommit = beforeCommit;
  }

  write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (tx: Transaction<Tables>) => {
        const result = await work(tx);
        return () => resolve(result);
      };
      this.#waiting.push({ run, fail: reject });
      this.#working ??= this.#work();
    });
  }

  /** Resolves when no write is waiting. */
  async idle(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    // Requests that arrived in this turn of the event loop still have to come here.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#commitGroup();
    this.#working = null;
  }

  async #commitGroup(): Promise<void> {
    const begun: Write<Tables>[] = [];
    const settled: (() => void)[] = [];
    try {
      await this.#db.transaction().execute(async (tx) => {
        const until = performance.now() + this.#groupMsMax;
        for (let write = this.#waiting.shift(); write !== undefined; write = this.#waiting.shift()) {
          begun.push(write);
          settled.push(await settledBy(tx, write));
          if (begun.length >= GROUP_WRITES_MAX || performance.now() > until) break;
        }
        await this.#beforeCommit(tx);
      });
      for (const settle of settled) settle();
    } catch (error) {
      // Where not even the transaction began, it would not for the others.
      for (const write of begun.length > 0 ? begun : this.#waiting.splice(0)) write.fail(error);
    }
  }
}

async function settledBy<Tables>(tx: Transaction<Tables>, write: Write<Tables>): Promise<() => void> {
  await tx.executeQuery(SAVE);
  try {
    const succeed = await write.run(tx);
    await tx.executeQuery(KEEP);
    return succeed;
  } catch (error) {
    try {
      await tx.executeQuery(UNDO);
      await tx.executeQuery(KEEP);
    } catch {
      // The engine has undone the whole transaction, as on a full disk.
      throw error;
    }
    return () => write.fail(error);
  }
}
