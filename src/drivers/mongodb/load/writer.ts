import type { Db } from 'mongodb';
import { EMPTYING_MODES, KEYED_MODES } from '../../../language/task/steps/load/load-step.ts';
import { type Batch, ConnectorError, type WriteRequest, type Writer } from '../../driver.ts';
import type { Committed } from '../../load-request.ts';
import { cancelled, untilAborted } from '../../sql/session-turns.ts';
import { Losses } from '../../values/losses.ts';
import type { MongoAccess } from '../client.ts';
import { mongoFault } from '../mongo-fault.ts';
import { requireCollection } from '../query/guard.ts';
import { AppendLoad } from './append-load.ts';
import { KeyedLoad } from './keyed-load.ts';
import { LoadMark } from './load-marks.ts';
import { emptyTarget, ReplacingLoad } from './replacing-load.ts';

type Load = AppendLoad | KeyedLoad | ReplacingLoad;

/**
 * One load into one collection. Emptying loads are visible from `commit` on. Others are seen as they go: an aborted append is taken back,
 * and what a dead one has left by its next attempt; keyed ones come to the same end when they run again.
 */
class MongoWriter implements Writer {
  readonly alreadyDone: { readonly rows: number } | null;
  readonly #access: MongoAccess;
  readonly #db: Db;
  readonly #request: WriteRequest;
  readonly #mark: LoadMark;
  readonly #losses = new Losses();
  #load: Load | null = null;
  /** What the database is doing: nothing is taken back under it. */
  #working: Promise<unknown> = Promise.resolve();
  #failure: ConnectorError | null = null;
  #hasEnded = false;

  constructor(
    { access, db, mark }: { readonly access: MongoAccess; readonly db: Db; readonly mark: LoadMark },
    request: WriteRequest,
    done: { readonly rows: number } | null,
  ) {
    this.#access = access;
    this.#db = db;
    this.#mark = mark;
    this.#request = request;
    this.alreadyDone = done;
  }

  async write(batch: Batch): Promise<void> {
    this.#requireUsable();
    if (batch.rows.length === 0) return;
    this.#losses.restart();
    try {
      await this.#work(async () => {
        this.#load ??= await this.#open();
        await this.#load.put(batch);
      });
      this.#losses.keep();
    } catch (error) {
      const fault = this.#faultOf(error);
      if (fault.fault !== 'DATA') this.#failure = fault;
      throw fault;
    }
  }

  async commit(): Promise<Committed> {
    if (this.alreadyDone !== null) return this.alreadyDone;
    this.#requireUsable();
    this.#hasEnded = true;
    try {
      const load = this.#load;
      if (load !== null) return { rows: await this.#work(() => load.finish()), ...this.#losses.counts };
      const { object, mode, allowEmpty } = this.#request;
      if (allowEmpty && EMPTYING_MODES.includes(mode)) await this.#work(() => emptyTarget(this.#db, object));
      return { rows: 0 };
    } catch (error) {
      this.#hasEnded = false;
      throw this.#faultOf(error);
    }
  }

  async abort(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    await this.#working.catch(() => undefined);
    await this.#load?.abort().catch((error: unknown) => {
      throw mongoFault(error, 'write');
    });
  }

  #requireUsable(): void {
    if (this.#request.signal.aborted) throw cancelled(this.#request.signal.reason);
    if (this.#failure !== null) throw this.#failure;
    if (this.#hasEnded) throw new ConnectorError('CONFIG', 'The load has already ended');
  }

  async #open(): Promise<Load> {
    const { mode, object, lossy } = this.#request;
    const rules = { object, lossy, losses: this.#losses };
    if (mode === 'append') return AppendLoad.open(this.#db, this.#mark, rules);
    if (EMPTYING_MODES.includes(mode)) return ReplacingLoad.open(this.#db, rules);
    return KeyedLoad.open(this.#access, this.#db, this.#request, rules);
  }

  async #work<T>(work: () => Promise<T>): Promise<T> {
    const working = work();
    this.#working = working;
    return untilAborted(working, this.#request.signal);
  }

  #faultOf(error: unknown): ConnectorError {
    return this.#request.signal.aborted ? cancelled(error) : mongoFault(error, 'write');
  }
}

/** Opens a load; it changes nothing before the first batch. */
export async function openMongoWriter(access: MongoAccess, request: WriteRequest): Promise<Writer> {
  const { mode, key, object, loadId, signal } = request;
  const isKeyed = KEYED_MODES.includes(mode);
  if (isKeyed !== key.length > 0) {
    const problem = isKeyed ? 'needs the fields of a key' : 'takes no key';
    throw new ConnectorError('CONFIG', `The mode "${mode}" ${problem}`);
  }
  requireCollection(object, 'object');
  return access.run(
    signal,
    async (db) => {
      const mark = new LoadMark(db, object, loadId);
      const done = mode === 'append' ? await mark.done() : null;
      return new MongoWriter({ access, db, mark }, request, done);
    },
    'write',
  );
}
