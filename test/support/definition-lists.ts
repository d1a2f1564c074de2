import { sql } from 'kysely';
import { selectAiReferences } from '../../src/modules/ai-references/ai-reference-store.ts';
import { selectApiKeys } from '../../src/modules/auth/api-keys/api-key.ts';
import { selectConnectors } from '../../src/modules/connectors/connector-store.ts';
import { selectDashboardTemplates } from '../../src/modules/dashboard-templates/dashboard-template-store.ts';
import { selectDashboards } from '../../src/modules/dashboards/dashboard-store.ts';
import { selectPresets } from '../../src/modules/explorer-presets/explorer-preset-store.ts';
import { selectJobTemplates } from '../../src/modules/job-templates/job-template-store.ts';
import { selectConfigVersions, selectJobs } from '../../src/modules/jobs/job-store.ts';
import { selectMetricsConfigs } from '../../src/modules/metrics/metrics-config-store.ts';
import { selectTasks } from '../../src/modules/tasks/task-store.ts';
import { selectTriggers } from '../../src/modules/triggers/trigger-store.ts';
import { selectUsers } from '../../src/modules/users/user-store.ts';
import { selectWebhooks } from '../../src/modules/webhooks/webhook-store.ts';
import type { Db, Store } from '../../src/store/store.ts';
import { numbersTo, type RunList } from './run-lists.ts';

const TIMES = ['created_at', 'updated_at'] as const;
const SORTS = ['id', 'name', ...TIMES] as const;
const VIEWER = 1;

const stateOf = (state: 'active' | 'ended' | 'paused' | 'disabled'): RunList => ({
  name: `${state} triggers`,
  owner: { state },
  filters: { job_id: 7 },
  sorts: SORTS,
  select: selectTriggers,
});

/** Every list of what users define, with all of its filters and sorts; the values are those of `fillDefinitions`. */
export const DEFINITION_LISTS: readonly RunList[] = [
  { name: 'tasks', owner: {}, filters: { status: 'archived' }, sorts: SORTS, select: selectTasks },
  {
    name: 'job templates',
    owner: {},
    filters: { status: 'archived' },
    sorts: SORTS,
    select: selectJobTemplates,
  },
  {
    name: 'connectors',
    owner: {},
    filters: { type: 'csv' },
    sorts: ['id', 'name', ...TIMES],
    select: selectConnectors,
  },
  {
    name: 'users',
    owner: {},
    filters: { role: 'admin', status: 'disabled' },
    sorts: [...SORTS, 'email'],
    select: selectUsers,
  },
  {
    name: 'jobs',
    owner: {},
    filters: { status: 'archived', job_template_id: 7 },
    sorts: SORTS,
    select: selectJobs,
  },
  { name: 'dashboards', owner: {}, filters: { job_id: 7 }, sorts: SORTS, select: selectDashboards },
  {
    name: 'triggers',
    owner: {},
    filters: { job_id: 7, enabled: 0 },
    sorts: SORTS,
    select: (db, filters, paging) => selectTriggers(db, filters as object, paging),
  },
  stateOf('active'),
  stateOf('ended'),
  stateOf('paused'),
  stateOf('disabled'),
  {
    name: 'webhooks',
    owner: {},
    filters: { enabled: 0 },
    sorts: SORTS,
    select: (db, filters, paging) => selectWebhooks(db, filters as object, paging),
  },
  {
    name: 'AI references',
    owner: {},
    filters: { enabled: 0 },
    sorts: SORTS,
    select: (db, filters, paging) => selectAiReferences(db, filters as object, paging),
  },
  {
    name: 'explorer presets',
    owner: {},
    filters: { connector_id: 7, visibility: 'team' },
    sorts: SORTS,
    select: (db, filters, paging) => selectPresets(db, VIEWER, filters as object, paging),
  },
  {
    name: 'API keys',
    owner: {},
    filters: { user_id: 7 },
    sorts: ['id', 'name', 'created_at'],
    select: (db, { user_id }, paging) => selectApiKeys(db, (user_id as number | undefined) ?? null, paging),
  },
  {
    name: 'metrics backends',
    owner: {},
    filters: {},
    sorts: SORTS,
    select: (db, _filters, paging) => selectMetricsConfigs(db, paging),
  },
  {
    name: 'dashboard templates of a job template',
    owner: { job_template_id: 7 },
    filters: {},
    sorts: SORTS,
    select: (db, _filters, paging) => selectDashboardTemplates(db, 7, paging),
  },
  {
    name: 'configurations of a job',
    owner: { job_id: 7 },
    filters: {},
    sorts: ['id'],
    select: (db, _filters, paging) => selectConfigVersions(db, 7, paging),
  },
];

type Search = (
  db: Db,
  filters: { readonly q: string },
  paging: Parameters<typeof selectTasks>[2],
) => Promise<unknown>;

/** Lists that look for a part of the name, by their table. */
export const SEARCHES: Readonly<Record<string, Search>> = {
  tasks: selectTasks,
  job_templates: selectJobTemplates,
  jobs: selectJobs,
  connectors: selectConnectors,
  ai_references: selectAiReferences,
  explorer_presets: (db, filters, paging) => selectPresets(db, VIEWER, filters, paging),
  users: selectUsers,
};

/** What each owner has some of. */
const OWNERS = 50;
const JOB_RUNS = 1_000;

/** Columns besides name and times, with their values in row `n`; few rows match the filters of the lists, and those are spread. */
const TABLES: readonly [table: string, columns: Readonly<Record<string, string>>][] = [
  [
    'users',
    {
      email: `'e' || n`,
      role: seldom('admin', 'viewer'),
      status: seldom('disabled', 'active'),
      password_hash: `''`,
    },
  ],
  [
    'tasks',
    {
      yaml_content: `''`,
      status: seldom('archived', 'active'),
      labels_json: `'{}'`,
      connectors_json: `'{}'`,
    },
  ],
  ['job_templates', { yaml_content: `''`, parsed_json: `'{}'`, status: seldom('archived', 'active') }],
  ['connectors', { type: seldom('csv', 'sqlite'), config_json: `'{}'`, secrets_json: `'{}'` }],
  [
    'jobs',
    {
      job_template_id: `1 + n % ${OWNERS}`,
      template_version: '1',
      yaml_content: `''`,
      parsed_json: `'{}'`,
      connector_mapping_json: `'{}'`,
      config_json: `'{}'`,
      status: seldom('archived', 'active'),
    },
  ],
  [
    'dashboards',
    { job_id: `1 + n % ${OWNERS}`, yaml_content: `''`, document_json: `'{}'`, public_json: `'{}'` },
  ],
  ['dashboard_templates', { job_template_id: `1 + n % ${OWNERS}`, yaml_content: `''`, status: `'active'` }],
  [
    'triggers',
    {
      job_id: `1 + n % ${OWNERS}`,
      cron: `'* * * * *'`,
      timezone: `'UTC'`,
      enabled: `n % 2`,
      overlap: `'allow'`,
      catchup: `'none'`,
    },
  ],
  ['webhooks', { url: `'https://example.com'`, events_json: `'[]'`, enabled: `n % 2`, secrets_json: `'{}'` }],
  ['ai_references', { content: `''`, tags_json: `'[]'`, enabled: `n % 2` }],
  [
    'explorer_presets',
    {
      connector_id: `1 + n % ${OWNERS}`,
      resource: `'t'`,
      columns_json: `'[]'`,
      filter_json: `'{}'`,
      sort_json: `'[]'`,
      visibility: `case when n % 2 = 0 then 'team' else 'private' end`,
      owner_id: 'n',
    },
  ],
  ['metrics_configs', { backend: `'http'`, config_json: `'{}'`, enabled: '1' }],
];

function seldom(value: string, usual: string): string {
  return `case when n % 100 = 7 then '${value}' else '${usual}' end`;
}

/** So many rows for each of the lists. */
export async function fillDefinitions(store: Store, rows: number): Promise<void> {
  const numbers = numbersTo(rows);
  const statements = TABLES.map(([table, columns]) => {
    const all = { name: `'name ' || n`, ...columns, created_at: 'n * 1000', updated_at: 'n * 1000' };
    return `${numbers} insert into ${table} (${Object.keys(all).join(', ')}) select ${Object.values(all).join(', ')} from numbers`;
  });
  statements.push(
    `${numbers} insert into api_keys (name, prefix, token_hash, user_id, scopes_json, created_at)
      select 'name ' || n, 'svc_', 'hash ' || n, 1 + n % ${OWNERS}, '[]', n * 1000 from numbers`,
    `${numbers} insert into job_config_versions (job_id, version, config_json, created_at)
      select 1 + n % ${OWNERS}, n, '{}', n * 1000 from numbers`,
  );
  // Triggers show the state of their newest job run.
  statements.push(
    `${numbersTo(JOB_RUNS)} insert into job_runs (job_id, status, reason, args_json, config_json, parsed_json, created_at)
      select 1, 'success', 'manual', '{}', '{}', '{}', n from numbers`,
  );
  for (const statement of statements)
    await store.write(async (tx) => {
      await store.dialect.allowLong(tx);
      await sql.raw(statement).execute(tx);
    });
}
