import { isRecord } from '../../base/json.ts';

/** The groups of operations, in the order in which somebody who reads the document meets them. */
const GROUPS: Readonly<Record<string, string>> = {
  Auth: 'Setup of the server, sign-in and sign-out, sessions, your own account',
  'API Keys': 'Keys for programs: each acts for the user who created it, within its scopes',
  Users: 'People with accounts, and their roles',
  Connectors: 'Saved connections to databases, files and services, and their resources',
  'Explorer Presets': 'Saved views of a connector’s resources',
  Tasks: 'Definitions in YAML that move rows, and their versions',
  'Job Templates': 'Graphs of tasks in YAML, with the configuration of their jobs',
  Jobs: 'A job template for one customer, account or environment: its connectors, configuration and pinned versions',
  Triggers: 'Schedules of jobs, and backfills of past times',
  'Job Runs': 'Executions of a job’s whole graph',
  Runs: 'Executions of one task: state, steps, logs',
  'Dead Letters': 'Rows rejected by a step, with the reason',
  'Dashboard Templates': 'Dashboards in YAML for new jobs of a job template',
  Dashboards: 'The dashboards of jobs: documents, data of their widgets, input, share links',
  'Public Dashboards': 'Dashboards and input through a share link, without credentials',
  Webhooks: 'Receivers of events',
  Notifications: 'Messages to people: mail, Slack and Microsoft Teams',
  Metrics: 'Metrics backends and the metrics of runs',
  'Export/Import': 'Export and import of definitions as one file',
  AI: 'Tasks written by a model and validated by the API',
  'AI References': 'Reference texts for the model',
  Audit: 'Every change and its author',
  Branding: 'Name, logo and colours of the pages',
  Server: 'Settings, state and executors of the server, and JSON Schemas of its documents',
  Health: 'Liveness, readiness and health',
  Executors: 'Executors over HTTP: registration, leases and work; for executors only',
  'Executor Callbacks': 'Reports of executors about their runs; for executors only',
};
const NAMES = Object.keys(GROUPS);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The paths in the order of their groups, within a group as their modules register them but with what belongs together side by
 * side; and the used groups with their descriptions. A group without a description here gets none.
 */
export function inReadingOrder(paths: Paths): {
  paths: Paths;
  tags: { name: string; description: string }[];
} {
  const places = Object.keys(paths);
  const rank = (path: string) => {
    const tag = tagOf(Object.values(paths[path] ?? {})[0]);
    const root = rootOf(path);
    return [NAMES.indexOf(tag), places.findIndex((other) => rootOf(other) === root), depthOf(path)] as const;
  };
  const ranked = places.map((path) => ({ path, rank: rank(path) }));
  ranked.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2]);
  const used = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).map(tagOf)));
  return {
    paths: Object.fromEntries(ranked.map(({ path }) => [path, inMethodOrder(paths[path] ?? {})])),
    tags: NAMES.filter((name) => used.has(name)).map((name) => ({ name, description: GROUPS[name] ?? '' })),
  };
}

function tagOf(operation: unknown): string {
  const tags = isRecord(operation) ? (operation['tags'] as string[] | undefined) : undefined;
  return tags?.[0] ?? '';
}

/** `/api/tasks` of `/api/tasks/{id}/versions`: a collection and its records stay together. */
function rootOf(path: string): string {
  return path.split('/{', 1)[0] ?? '';
}

/** The collection, then its record, then what a record has. */
function depthOf(path: string): number {
  return Math.min(path.split('/').length - rootOf(path).split('/').length, 2);
}

function inMethodOrder(methods: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(methods).sort(([a], [b]) => METHODS.indexOf(a) - METHODS.indexOf(b)),
  );
}
