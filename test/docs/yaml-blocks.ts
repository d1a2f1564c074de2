import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Problem } from '../../src/base/errors.ts';
import { randomHex } from '../../src/base/ids.ts';
import { isRecord } from '../../src/base/json.ts';
import { loadConfig } from '../../src/config.ts';
import { loadDrivers } from '../../src/drivers/registry.ts';
import { parseBundle } from '../../src/language/bundle/parse-bundle.ts';
import { parseDashboard } from '../../src/language/dashboard/parse-dashboard.ts';
import { parseTask } from '../../src/language/task/parse-task.ts';
import { parseJobTemplate } from '../../src/language/template/parse-template.ts';

type Map = Readonly<Record<string, unknown>>;

/** Connectors that the parts of documents name, with their types. */
const CONNECTORS: Readonly<Record<string, string>> = {
  orders: 'csv',
  customers: 'csv',
  events: 'json',
  flights: 'parquet',
  shop: 'postgres',
  warehouse: 'postgres',
  archive: 'sqlite',
  api: 'http',
  crm: 'http',
};
const connectors = Object.fromEntries(Object.entries(CONNECTORS).map(([name, type]) => [name, { type }]));
/** With the driver that a guide takes as its example. */
const drivers = await loadDrivers(null, [
  { type: 'tsv', path: join(import.meta.dirname, '../../examples/driver/tsv-driver.ts') },
]);

/** What parts of a task are put into: steps named `read`, `read_customers` and `shape`, an argument, the connectors above. */
const TASK: Map = {
  version: 1,
  name: 'part',
  connectors,
  args: { since: { type: 'string', default: '2026-01-01' } },
};
const READ: Map = { id: 'read', kind: 'extract', connector: 'orders', method: 'read' };
const READ_CUSTOMERS: Map = { id: 'read_customers', kind: 'extract', connector: 'customers', method: 'read' };
const TEMPLATE: Map = { version: 1, name: 'part', connectors, tasks: { load: { task: 'load_orders' } } };
const DASHBOARD: Map = {
  shared_queries: { days: { connector: 'warehouse', method: 'query', args: { sql: 'SELECT 1' } } },
};

/**
 * Kinds of YAML, as they follow `yaml` after the backticks, and what is wrong with a text of that kind. A part is put into a
 * document of its kind: a text that is only a part is checked too.
 */
const KINDS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  task: checkTask,
  'task-part': (text) => checkTask(asYaml({ ...TASK, steps: [READ], ...mapOf(text) })),
  steps: (text) => checkTask(asYaml({ ...TASK, steps: withSource(listOf(text)) })),
  ops: (text) =>
    checkTask(
      asYaml({
        ...TASK,
        steps: [READ, READ_CUSTOMERS, { id: 'shape', kind: 'transform', input: 'read', ops: listOf(text) }],
      }),
    ),
  'job-template': checkTemplate,
  'job-template-part': (text) => checkTemplate(asYaml({ ...TEMPLATE, ...mapOf(text) })),
  dashboard: checkDashboard,
  'dashboard-part': (text) => checkDashboard(asYaml({ widgets: [], ...DASHBOARD, ...mapOf(text) })),
  widgets: (text) => checkDashboard(asYaml({ ...DASHBOARD, widgets: listOf(text) })),
  bundle: (text) => told(parseBundle(text)),
  settings: checkSettings,
  connectors: (text) => Object.entries(mapOf(text)).flatMap(([name, value]) => checkConnector(name, value)),
  prometheus: (text) => (isRecord(parse(text)) ? [] : ['is no map']),
};
export const YAML_KINDS: readonly string[] = Object.keys(KINDS);

export function problemsOf(kind: string, text: string): readonly string[] {
  const check = KINDS[kind];
  return check === undefined ? [`"${kind}" is no kind of YAML`] : check(text);
}

/** JSON is YAML, with nothing in it that could be read otherwise. */
function asYaml(value: Map): string {
  return JSON.stringify(value);
}

function mapOf(text: string): Map {
  const value: unknown = parse(text);
  if (!isRecord(value)) throw new Error('The text must be a map');
  return value;
}

function listOf(text: string): readonly unknown[] {
  const value: unknown = parse(text);
  if (!Array.isArray(value)) throw new Error('The text must be a list');
  return value;
}

/** Steps that read from `read` without having it get one. */
function withSource(steps: readonly unknown[]): readonly unknown[] {
  const hasRead = steps.some((step) => isRecord(step) && step['id'] === 'read');
  return hasRead ? steps : [READ, ...steps];
}

function told(parsed: { readonly ok: true } | { readonly ok: false; readonly problems: readonly Problem[] }) {
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

/** With some code for the files of scripts, as the command line puts theirs. */
function withSomeCode(text: string): string {
  return text.replaceAll(
    /(kind: script\b[^\n]*\bfile: )([\w/]+\.js)/g,
    '$1{ name: $2, code: "export default (item) => item" }',
  );
}

function checkTask(written: string): readonly string[] {
  const text = withSomeCode(written);
  const parsed = parseTask(text);
  if (!parsed.ok) return told(parsed);
  const { steps, connectors: declared } = parsed.task;
  const maps = (parse(text) as { steps: readonly Map[] }).steps;
  return [
    ...Object.values(declared).flatMap(({ type }) =>
      drivers.get(type) ? [] : [`no connector type "${type}"`],
    ),
    ...steps.flatMap((step) => {
      if (step.kind === 'load') return checkMode(declared[step.connector]?.type, step.mode);
      if (step.kind !== 'extract' && step.kind !== 'call') return [];
      const args = maps.find(({ id }) => id === step.id)?.['args'];
      return checkCall(declared[step.connector]?.type, step.method, args);
    }),
  ];
}

function checkMode(type: string | undefined, mode: string): readonly string[] {
  const modes: readonly string[] = drivers.get(type ?? '')?.capabilities.write ?? [];
  return modes.includes(mode) ? [] : [`${type} does not load with the mode "${mode}"`];
}

/** The driver's own check of a method and of its arguments; arguments with expressions are known only when it runs. */
function checkCall(type: string | undefined, name: string, args: unknown): readonly string[] {
  const method = drivers.get(type ?? '')?.methods.find((one) => one.name === name);
  if (method === undefined) return [`${type} has no method "${name}"`];
  if (JSON.stringify(args ?? {}).includes('{{')) return [];
  const checked = method.args.safeParse(args ?? {});
  return checked.success
    ? []
    : checked.error.issues.map((issue) => `${name}: ${issue.path.join('.')}: ${issue.message}`);
}

function checkTemplate(text: string): readonly string[] {
  const parsed = parseJobTemplate(text);
  if (!parsed.ok) return told(parsed);
  const types = Object.values(parsed.template.connectors).map(({ type }) => type);
  return [
    ...types.flatMap((type) => (drivers.get(type) ? [] : [`no connector type "${type}"`])),
    ...callsIn(parse(text)).flatMap(({ connector, method, args }) =>
      checkCall(parsed.template.connectors[connector]?.type, method, args),
    ),
  ];
}

function checkDashboard(text: string): readonly string[] {
  const parsed = parseDashboard(text);
  if (!parsed.ok) return told(parsed);
  return callsIn(parse(text)).flatMap(({ connector, method, args }) =>
    checkCall(CONNECTORS[connector], method, args),
  );
}

interface Call {
  readonly connector: string;
  readonly method: string;
  readonly args: unknown;
}

/** Every map with a connector and a method, wherever it stands. */
function callsIn(value: unknown): readonly Call[] {
  if (Array.isArray(value)) return value.flatMap(callsIn);
  if (!isRecord(value)) return [];
  const { connector, method, args } = value;
  const own =
    typeof connector === 'string' && typeof method === 'string' ? [{ connector, method, args }] : [];
  return [...own, ...Object.values(value).flatMap(callsIn)];
}

function checkSettings(text: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-docs-'));
  try {
    const file = join(folder, 'headgate.yaml');
    writeFileSync(file, text);
    // Secrets come from elsewhere: an example that holds one would be copied.
    const loaded = loadConfig({
      SVC_CONFIG_FILE: file,
      SVC_EXECUTOR_KEY: randomHex(32),
      SVC_ENCRYPTION_KEY: randomHex(32),
    });
    return loaded.ok ? [] : loaded.problems.map((problem) => problem.message);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checkConnector(name: string, value: unknown): readonly string[] {
  const { type, config } = isRecord(value) ? value : {};
  const driver = drivers.get(String(type));
  if (driver === undefined) return [`${name}: no connector type "${String(type)}"`];
  const filled = JSON.parse(
    JSON.stringify(config ?? {}).replaceAll(/\$\{env:\w+\}/g, 'postgres://db/shop'),
  ) as unknown;
  const checked = driver.config.safeParse(filled);
  return checked.success
    ? []
    : checked.error.issues.map((issue) => `${name}: ${issue.path.join('.')}: ${issue.message}`);
}
