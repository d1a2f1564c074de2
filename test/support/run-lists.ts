import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Paging } from '../../src/http/paging.ts';
import { selectAudit } from '../../src/modules/audit/audit-store.ts';
import { selectDeadLetters } from '../../src/modules/dead-letters/dead-letter-store.ts';
import { selectShownLetters } from '../../src/modules/dead-letters/shown-letter-store.ts';
import { selectQueue } from '../../src/modules/executors/waiting/queue-store.ts';
import { selectJobRuns } from '../../src/modules/job-runs/shown-job-run-store.ts';
import { selectLogPage } from '../../src/modules/run-logs/run-log-store.ts';
import { selectRuns } from '../../src/modules/runs/run-store.ts';
import { selectBackfills, selectBackfillTimes } from '../../src/modules/triggers/backfill/backfill-store.ts';
import { selectDeliveries } from '../../src/modules/webhooks/delivery/webhook-delivery-store.ts';
import type { LogSchema } from '../../src/store/schema.ts';
import type { Db, Store } from '../../src/store/store.ts';

type Values = Readonly<Record<string, string | number>>;

/** A list of what grows with runs. */
export interface RunList {
  readonly name: string;
  /** Given with every request. */
  readonly owner: Values;
  /** Each is used alone and with each other. */
  readonly filters: Values;
  readonly sorts: readonly Paging['column'][];
  select(db: Db, filters: Values, paging: Paging): Promise<readonly unknown[]>;
}

/** Every list whose rows grow with runs, with all of its filters and sorts; the values are those of `fillRunLists`. */
export const RUN_LISTS: readonly RunList[] = [
  {
    name: 'runs',
    owner: {},
    filters: { status: 'error', task_id: 7, job_id: 1, job_run_id: 77 },
    sorts: ['id', 'created_at'],
    select: selectRuns,
  },
  {
    name: 'active runs',
    owner: { status: 'queued' },
    filters: { job_run_id: 77 },
    sorts: ['id', 'created_at'],
    select: selectRuns,
  },
  {
    name: 'the queue',
    owner: {},
    filters: {},
    sorts: ['created_at'],
    select: (db, _filters, paging) => selectQueue(db, paging),
  },
  {
    name: 'job runs',
    owner: {},
    filters: { status: 'error', job_id: 1, trigger_id: 7 },
    sorts: ['id', 'created_at'],
    select: selectJobRuns,
  },
  {
    name: 'active job runs',
    owner: { status: 'queued' },
    filters: {},
    sorts: ['id', 'created_at'],
    select: selectJobRuns,
  },
  {
    name: 'dead letters of a run',
    owner: { run_id: 77 },
    filters: { status: 'discarded' },
    sorts: ['id'],
    select: selectDeadLetters,
  },
  {
    name: 'dead letters of a job',
    owner: { job_id: 1 },
    filters: { status: 'discarded' },
    sorts: ['id'],
    select: selectDeadLetters,
  },
  {
    name: 'dead letters of all',
    owner: {},
    filters: { status: 'discarded', job_id: 1, run_id: 77, code: 'CAST_ERROR' },
    sorts: ['id'],
    select: selectShownLetters,
  },
  {
    name: 'audit logs',
    owner: {},
    filters: { resource_type: 'job', resource_id: '77', action: 'job.create', actor_id: 7 },
    sorts: ['id'],
    select: selectAudit,
  },
  {
    name: 'deliveries of a webhook',
    owner: { webhook_id: 1 },
    filters: { status: 'failed', event: 'job_run.failed' },
    sorts: ['id'],
    select: (db, filters, paging) => selectDeliveries(db, { webhook_id: 1, ...filters }, paging),
  },
  {
    name: 'backfills of a trigger',
    owner: { trigger_id: 1 },
    filters: {},
    sorts: ['id', 'created_at'],
    select: (db, _filters, paging) => selectBackfills(db, 1, paging),
  },
  {
    name: 'times of a backfill',
    owner: { backfill_id: 1 },
    filters: {},
    sorts: ['id'],
    select: (db, _filters, paging) => selectBackfillTimes(db, 1, paging),
  },
];

const PAGE = 5;
const CREATED_EVERY_MS = 1_000;

/** A request of a list. */
export interface ListRequest {
  readonly name: string;
  readonly filters: Values;
  readonly paging: Paging;
  select(db: Db): Promise<readonly unknown[]>;
}

/** First pages of a list and those from the middle of so many rows, by each sort in both directions, with every set of its filters. */
export function requestsOf({ name, owner, filters, sorts, select }: RunList, rows: number): ListRequest[] {
  const sets = [owner];
  for (const [key, value] of Object.entries(filters))
    sets.push(...sets.map((set) => ({ ...set, [key]: value })));
  const texts: readonly string[] = ['name', 'email', 'type'];
  const placeIn = (column: string) =>
    texts.includes(column)
      ? { value: `name ${rows / 2}`, id: rows / 2 }
      : { value: (rows / 2) * CREATED_EVERY_MS, id: rows / 2 };
  return sets.flatMap((set) =>
    sorts.flatMap((column) =>
      [true, false].flatMap((descending) =>
        [null, placeIn(column)].map((after) => {
          const paging = { column, descending, after, limit: PAGE, bound: '' };
          const keys = Object.keys(set).join(', ');
          const title = `${name} by ${keys || 'nothing'}, ${column} ${descending ? 'down' : 'up'}${after === null ? '' : ', later'}`;
          return { name: title, filters: set, paging, select: (db: Db) => select(db, set, paging) };
        }),
      ),
    ),
  );
}

/** One page of a run's log, by each filter. */
export const LOG_REQUESTS = [{}, { level: 3 }, { step: 'read' }, { q: 'row' }].map((filters) => ({
  name: `lines of a run by ${Object.keys(filters).join() || 'nothing'}`,
  select: (db: Kysely<LogSchema>) =>
    selectLogPage(db, 7, { after: { attempt: 1, seq: 3 }, ...filters }, PAGE),
}));

/** Rows of a table other than runs and job runs. */
const OTHERS_MAX = 100_000;

export const numbersTo = (rows: number) =>
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${rows})`;

const inserts = (rows: number) => {
  const n = numbersTo(rows);
  const some = numbersTo(Math.min(rows, OTHERS_MAX));
  const status = `case when n % 1000 = 77 then 'error' when n % 5000 = 0 then 'queued' else 'success' end`;
  const none = `'{}'`;
  return [
    `${some} insert into job_templates (name, yaml_content, parsed_json, status, created_at, updated_at)
      select 't' || n, '', '{}', 'active', 0, 0 from numbers where n <= 50`,
    `${some} insert into jobs (job_template_id, template_version, name, yaml_content, parsed_json, connector_mapping_json,
      config_json, status, created_at, updated_at) select 1, 1, 'j', '', '{}', '{}', '{}', 'active', 0, 0 from numbers where n <= 50`,
    `${n} insert into job_runs (job_id, trigger_id, status, reason, args_json, config_json, parsed_json, created_at)
      select 1 + n % 50, case when n % 2 = 0 then 1 + n % 50 end, ${status}, 'manual', ${none}, ${none}, ${none}, n * ${CREATED_EVERY_MS} from numbers`,
    `${n} insert into runs (task_id, task_name, task_version, yaml_content, job_run_id, job_id, status, reason, max_attempts,
      retry_json, args_json, config_json, connectors_json, connector_types, labels_json, created_at, available_at)
      select n % 40, 't', 1, '', n, 1 + n % 50, ${status}, 'manual', 1, ${none}, ${none}, ${none}, ${none}, ',', ${none}, n * ${CREATED_EVERY_MS}, 0
      from numbers`,
    `${some} insert into dead_letters (run_id, job_id, attempt, seq, step_id, item_json, code, message, status, created_at)
      select case when n % 2 = 0 then 77 else n end, 1 + n % 50, 1, n, 's', ${none}, 'C', 'm',
        case when n % 1000 = 0 then 'discarded' else 'open' end, 0 from numbers`,
    `${some} insert into audit_logs (at, actor_type, actor_id, actor_name, action, resource_type, resource_id, outcome)
      select 0, 'user', n % 1000, 'a', case when n % 1000 = 77 then 'job.create' else 'job_run.start' end,
        case when n % 1000 = 77 then 'job' else 'job_run' end, cast(n as text), 'success' from numbers`,
    `${some} insert into webhooks (name, url, events_json, enabled, secrets_json, created_at, updated_at)
      select 'w', 'https://example.com', '"*"', 1, '{}', 0, 0 from numbers where n <= 50`,
    `${some} insert into webhook_deliveries (webhook_id, event_id, event, body, status, created_at)
      select 1 + n % 50, 'e', case when n % 1000 = 100 then 'job_run.failed' else 'job_run.succeeded' end, '',
        case when n % 1000 = 50 then 'failed' else 'delivered' end, 0 from numbers`,
    `${some} insert into triggers (job_id, name, cron, timezone, enabled, overlap, catchup, created_at, updated_at)
      select n, 't', '* * * * *', 'UTC', 0, 'allow', 'skip', 0, 0 from numbers where n <= 50`,
    `${some} insert into backfills (job_id, trigger_id, from_at, to_at, reprocess, run_order, max_active, config_json, status, total,
      created_at, created_by) select 1 + n % 50, 1 + n % 50, 0, 1, 'all', 'oldest_first', 1, '{}', 'completed', 1,
        n * ${CREATED_EVERY_MS}, 'a' from numbers`,
    `${some} insert into backfill_times (backfill_id, scheduled_for, position) select 1 + n % 50, n, n from numbers`,
  ];
};

/** Rows for every list: few match its filters, and those are spread. */
export async function fillRunLists(store: Store, rows: number): Promise<void> {
  for (const statement of inserts(rows))
    await store.write(async (tx) => {
      await store.dialect.allowLong(tx);
      await sql.raw(statement).execute(tx);
    });
}
