import { type RawBuilder, sql } from 'kysely';
import { HELP_PRIORITY } from '../../base/run-parts.ts';
import type { Store } from '../../store/store.ts';

/** Several collectors that scrape every second must cost the store no more than one. */
const KEPT_MS = 3_000;
/** Counting more would hold up the event loop. */
export const OPEN_LETTERS_MAX = 100_000;

export interface QueueFigures {
  /** Queued runs that can be claimed, and those with a start time in the future. */
  readonly depth: { readonly ready: number; readonly delayed: number };
  /** The wait of the oldest claimable run; 0 if none waits. */
  readonly oldestReadyMs: number;
  /** Runs that have not ended. */
  readonly runs: { readonly queued: number; readonly running: number; readonly cancelling: number };
  /** Held by executors and not expired. */
  readonly leases: number;
  readonly executors: Readonly<Record<'online' | 'draining' | 'lost', number>>;
  /** Open dead letters, as far as they are counted. */
  readonly openLetters: number;
}

/**
 * The state of the queue, from the store's indexes of unfinished runs; cached for three seconds. An executor not heard from for
 * `lostAfterMs` counts as lost.
 */
export function createQueueFigures(store: Store, lostAfterMs: number): () => Promise<QueueFigures> {
  let kept: Promise<QueueFigures> | null = null;
  return () => {
    if (kept !== null) return kept;
    const reading = selectFigures(store, lostAfterMs);
    kept = reading;
    const forget = () => {
      kept = null;
    };
    reading.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
    return reading;
  };
}

async function selectFigures({ read, dialect }: Store, lostAfterMs: number): Promise<QueueFigures> {
  const { nowMs } = dialect;
  const counted = (condition: ReturnType<typeof sql>) => sql<number>`count(*) filter (where ${condition})`;
  const queued = (waiting: RawBuilder<boolean>) =>
    read
      .selectFrom('runs')
      .select('available_at')
      .where(sql<boolean>`status = 'queued'`)
      // Nobody waits for one that would only help another; the index has the priority.
      .where('priority', '>', HELP_PRIORITY)
      .where(waiting);
  const queue = await read
    // Each half has an index.
    .selectFrom(queued(sql`waiting is null`).unionAll(queued(sql`waiting is not null`)).as('queued'))
    .select([
      counted(sql`available_at <= ${nowMs}`).as('ready'),
      counted(sql`available_at > ${nowMs}`).as('delayed'),
      sql<number | null>`${nowMs} - min(available_at)`.as('oldest'),
    ])
    .executeTakeFirstOrThrow();
  const held = await read
    .selectFrom('runs')
    .where(sql<boolean>`status in ('running', 'cancelling')`)
    .select([
      counted(sql`status = 'running'`).as('running'),
      counted(sql`status = 'cancelling'`).as('cancelling'),
      counted(sql`lease_expires_at > ${nowMs}`).as('leases'),
    ])
    .executeTakeFirstOrThrow();
  const drains = sql`(status = 'draining' or drain_requested_at is not null)`;
  const silent = sql`last_seen_at < ${nowMs} - ${lostAfterMs}`;
  const executors = await read
    .selectFrom('executors')
    .where('status', '<>', 'gone')
    .select([
      counted(sql`not ${drains} and not ${silent}`).as('online'),
      counted(sql`${drains} and not ${silent}`).as('draining'),
      counted(silent).as('lost'),
    ])
    .executeTakeFirstOrThrow();
  // Literal, so that the partial index serves it.
  const open = read.selectFrom('dead_letters').select('id').where(sql<boolean>`status = 'open'`);
  const letters = await read
    .selectFrom(open.limit(OPEN_LETTERS_MAX).as('open'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const [ready, delayed] = [Number(queue.ready), Number(queue.delayed)];
  return {
    depth: { ready, delayed },
    oldestReadyMs: ready === 0 ? 0 : Math.max(0, Number(queue.oldest ?? 0)),
    runs: { queued: ready + delayed, running: Number(held.running), cancelling: Number(held.cancelling) },
    leases: Number(held.leases),
    executors: {
      online: Number(executors.online),
      draining: Number(executors.draining),
      lost: Number(executors.lost),
    },
    openLetters: Number(letters.count),
  };
}
