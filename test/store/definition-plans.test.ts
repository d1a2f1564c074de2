import { sql } from 'kysely';
import t from 'tap';
import type { Paging } from '../../src/http/paging.ts';
import { selectConnectors } from '../../src/modules/connectors/connector-store.ts';
import { selectDashboards } from '../../src/modules/dashboards/dashboard-store.ts';
import { selectJobTemplates } from '../../src/modules/job-templates/job-template-store.ts';
import { selectJobs } from '../../src/modules/jobs/job-store.ts';
import { selectTasks } from '../../src/modules/tasks/task-store.ts';
import { selectTriggers } from '../../src/modules/triggers/trigger-store.ts';
import { selectUsers } from '../../src/modules/users/user-store.ts';
import { selectWebhooks } from '../../src/modules/webhooks/webhook-store.ts';
import type { Db, Store } from '../../src/store/store.ts';
import { faultsInPostgres, faultsInSqlite, statementsOf } from '../support/query-plans.ts';
import { eachStore } from '../support/stores.ts';

type Column = Paging['column'];
type Select = (db: Db, filters: never, paging: Paging) => Promise<readonly unknown[]>;
type Filters = Readonly<Record<string, string | number | boolean>>;

const SORTS: readonly Column[] = ['id', 'name', 'created_at', 'updated_at'];
const LISTS: readonly { select: Select; filters: Filters; sorts?: readonly Column[] }[] = [
  { select: selectTasks, filters: { status: 'archived' } },
  { select: selectJobTemplates, filters: { status: 'archived' } },
  { select: selectConnectors, filters: { type: 'json' }, sorts: [...SORTS, 'type'] },
  { select: selectUsers, filters: { role: 'admin', status: 'disabled' }, sorts: [...SORTS, 'email'] },
  { select: selectJobs, filters: { status: 'archived', job_template_id: 3 } },
  { select: selectDashboards, filters: { job_id: 3 } },
  { select: selectTriggers, filters: { job_id: 3, enabled: true } },
  { select: selectWebhooks, filters: { enabled: false } },
];

/** The first and a later page by each sort, with no filter and with each alone. */
function requestsOf({ select, filters, sorts = SORTS }: (typeof LISTS)[number]) {
  const alone = Object.entries(filters).map(([key, value]) => ({ [key]: value }));
  return [{}, ...alone].flatMap((set) =>
    sorts.flatMap((column) =>
      [true, false].flatMap((descending) =>
        [null, { value: /_at|id/.test(column) ? 1_000 : 'name 5', id: 1_000 }].map((after) => ({
          name: `${select.name} by ${Object.keys(set).join() || 'nothing'}, ${column}`,
          read: (db: Db) => select(db, set as never, { column, descending, after, limit: 5, bound: '' }),
        })),
      ),
    ),
  );
}

const ROWS = 2_000;

/** Few match a filter. PostgreSQL plans by what it counts; SQLite plans the same for an empty table. */
async function fill(store: Store): Promise<void> {
  const n = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})`;
  const times = 'n, n from numbers';
  const status = `case when n % 500 = 7 then 'archived' else 'active' end`;
  const statements = [
    `${n} insert into tasks (name, yaml_content, labels_json, connectors_json, limits_json, status, created_at, updated_at)
      select 'name ' || n, '', '{}', '{}', '{}', ${status}, ${times}`,
    `${n} insert into job_templates (name, yaml_content, parsed_json, status, created_at, updated_at)
      select 'name ' || n, '', '{}', ${status}, ${times}`,
    `${n} insert into connectors (name, type, config_json, secrets_json, created_at, updated_at)
      select 'name ' || n, case when n % 500 = 7 then 'json' else 'csv' end, '{}', '{}', ${times}`,
    `${n} insert into users (email, name, password_hash, role, status, created_at, updated_at) select 'name ' || n, 'name ' || n, '',
      case when n % 500 = 7 then 'admin' else 'viewer' end, case when n % 500 = 7 then 'disabled' else 'active' end, ${times}`,
    `${n} insert into jobs (job_template_id, template_version, name, yaml_content, parsed_json, connector_mapping_json, config_json,
      status, created_at, updated_at) select 1 + n % 4, 1, 'name ' || n, '', '{}', '{}', '{}', ${status}, ${times}`,
    `${n} insert into dashboards (job_id, name, yaml_content, document_json, public_json, created_at, updated_at)
      select 1 + n % 4, 'name ' || n, '', '{}', '{}', ${times}`,
    `${n} insert into triggers (job_id, enabled, name, cron, timezone, overlap, catchup, created_at, updated_at)
      select 1 + n % 4, case when n % 500 = 7 then 1 else 0 end, 'name ' || n, '* * * * *', 'UTC', 'allow', 'none', ${times}`,
    `${n} insert into webhooks (kind, name, url, events_json, enabled, secrets_json, created_at, updated_at)
      select case when n % 5 = 2 then 'webhook' else 'slack' end, 'name ' || n, 'https://example.com', '"*"', case when n % 500 = 7 then 0 else 1 end, '{}', ${times}`,
    'analyze',
  ];
  for (const statement of statements) await store.write((tx) => sql.raw(statement).execute(tx));
}

await eachStore(t, 'every list of definitions is read by an index, in its order', async (t, store) => {
  const isPostgres = store.dialect.name === 'postgres';
  if (isPostgres) await fill(store);
  const faultsOf = isPostgres ? faultsInPostgres : faultsInSqlite;
  await store.snapshot(async (db) => {
    // Rows that are read in vain weigh as they would among many more; the job runs of triggers are none.
    if (isPostgres) await sql`set local cpu_tuple_cost = 100; set local enable_seqscan = off`.execute(db);
    for (const { name, read } of LISTS.flatMap(requestsOf))
      for (const statement of await statementsOf(db, read)) {
        const faults = await faultsOf(db, statement);
        if (faults.length > 0) t.fail(name, { faults, statement: statement.sql });
      }
  });
  t.pass('looked at all');
});
