import { isRecord } from '../../base/json.ts';

/** What the groups of operations are about. */
const GROUPS: Readonly<Record<string, string>> = {
  'AI References': 'Texts that the model is given to write by',
  AI: 'A model that writes tasks, which the validator of the API has passed',
  'API Keys': 'Keys for programs: each acts for the user who made it, within its scopes',
  Audit: 'Every change, with who made it',
  Auth: 'Setting up the server, signing in and out, sessions, one’s own account',
  Branding: 'Name, logo and colours of the pages that people see',
  Connectors: 'Saved connections to databases, files and services, and what they hold',
  'Dashboard Templates': 'Dashboards in YAML that new jobs of a job template get',
  Dashboards: 'The dashboards of jobs: documents, data of their widgets, input, share links',
  'Dead Letters': 'Rows that a step refused, with the reason',
  'Executor Callbacks': 'What executors tell of their runs; for executors only',
  Executors: 'How executors connect and take work over HTTP; for executors only',
  'Explorer Presets': 'Saved views of a connector’s resources',
  'Export/Import': 'Definitions as one file, and back',
  Health: 'Whether the server lives, is ready, and how it does',
  'Job Runs': 'Executions of a job’s whole graph',
  'Job Templates': 'Graphs of tasks in YAML, with the configuration that a job of them has',
  Jobs: 'A job template for one customer, account or environment: its connectors and configuration, and the versions that it runs',
  Metrics: 'Where figures of runs are written, and what they were',
  'Public Dashboards': 'What a share link shows and takes, without credentials',
  Runs: 'Executions of one task: state, steps, logs',
  Server: 'The server’s settings, figures, executors and the schemas of its documents',
  Tasks: 'What moves rows, in YAML: definitions and their versions',
  Triggers: 'Schedules of jobs, and backfills of times that have passed',
  Users: 'People with accounts, and their roles',
  Webhooks: 'Addresses that are told what happens',
};

/** The document's list of groups: those that it uses, by name. A group that has no description here gets none. */
export function groupsOf(document: object): { name: string; description: string }[] {
  const { paths } = document as { paths?: Record<string, Record<string, unknown>> };
  const used = Object.values(paths ?? {})
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => (isRecord(operation) ? ((operation['tags'] as string[] | undefined) ?? []) : []));
  return [...new Set(used)].sort().flatMap((name) => {
    const description = GROUPS[name];
    return description === undefined ? [] : [{ name, description }];
  });
}
