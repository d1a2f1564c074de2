import { sql } from 'kysely';
import { type Clock, spanMs } from '../../base/clock.ts';
import type { RunEndStatus } from '../../base/run-report.ts';
import type { RunMeter } from '../../metering/run-meter.ts';
import type { Store } from '../../store/store.ts';

const READ_EVERY_MS = 250;
const READ_MAX = 500;
/** Longer than a transaction lasts: a run that has not ended by then was rolled back. */
const WAIT_MS_MAX = 60_000;
/** While the store is away; further ends are not counted. */
const NOTED_MAX = 10_000;

export interface RunOutcomesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly runs: Pick<RunMeter, 'ended'>;
}

/**
 * Counts the runs that end at this control plane, whoever ends them. A run is noted inside the transaction that ends it, and read
 * after the commit together with others, so that one whose transaction is run again or fails counts as often as it ended.
 */
export class RunOutcomes {
  readonly #deps: RunOutcomesDeps;
  /** Ids with when they were noted. */
  readonly #noted = new Map<number, number>();
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: RunOutcomesDeps) {
    this.#deps = deps;
  }

  note(runId: number): void {
    if (this.#noted.size >= NOTED_MAX) return;
    this.#noted.set(runId, this.#deps.clock.now());
    this.#wake();
  }

  /** Counts what has been committed; never rejects. */
  settle(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#reading;
  }

  #wake(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.settle();
    }, READ_EVERY_MS).unref();
  }

  async #read(): Promise<void> {
    const { store, clock, runs } = this.#deps;
    const ids = [...this.#noted.keys()].slice(0, READ_MAX);
    if (ids.length === 0 || this.#stopped) return;
    const ended = await selectEnded(store, ids).catch(() => []);
    for (const { id, ...run } of ended) {
      // Noted again meanwhile is the same end.
      if (this.#noted.delete(id)) runs.ended(run);
    }
    const now = clock.now();
    for (const id of ids) if (now - (this.#noted.get(id) ?? now) > WAIT_MS_MAX) this.#noted.delete(id);
    if (this.#noted.size > 0) this.#wake();
  }
}

interface EndedRow {
  readonly id: number;
  readonly status: string;
  readonly task_name: string;
  readonly job: string | null;
  readonly template: string | null;
  readonly started_at: number | null;
  readonly ended_at: number;
  readonly rows_in: number;
  readonly rows_out: number;
  readonly rows_failed: number;
}

async function selectEnded({ read, dialect }: Store, ids: readonly number[]) {
  const wanted = dialect.rows(
    { id: 'bigint' },
    ids.map((id) => ({ id })),
  );
  const { rows } = await sql<EndedRow>`select runs.id, runs.status, runs.task_name, jobs.name as job,
      job_templates.name as template, runs.started_at, runs.ended_at, runs.rows_in, runs.rows_out, runs.rows_failed
    from ${wanted} as wanted join runs on runs.id = wanted.id left join jobs on jobs.id = runs.job_id
      left join job_templates on job_templates.id = jobs.job_template_id
    where runs.ended_at is not null`.execute(read);
  return rows.map((row) => ({
    id: row.id,
    status: row.status as RunEndStatus,
    job: row.job ?? '',
    template: row.template ?? '',
    task: row.task_name,
    seconds: secondsOf(row),
    rows: { in: row.rows_in, out: row.rows_out, failed: row.rows_failed },
  }));
}

function secondsOf(row: { readonly started_at: number | null; readonly ended_at: number }): number | null {
  const ms = spanMs(row.started_at, row.ended_at);
  return ms === null ? null : ms / 1_000;
}
