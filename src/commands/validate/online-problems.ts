import { messageOf, type Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import {
  AbsentStoreError,
  type ConnectContext,
  type Connection,
  ConnectorError,
  type Driver,
} from '../../drivers/driver.ts';
import { loadDriver } from '../../drivers/registry.ts';
import { everyStep, parseTask, type Task } from '../../language/task/parse-task.ts';
import type { LookupOp } from '../../language/task/steps/ops/transform-ops.ts';
import { type Step, stepsWithPaths } from '../../language/task/steps/steps.ts';
import { loadYaml } from '../../language/yaml/load-yaml.ts';
import { formatPath, type Path } from '../../language/yaml/yaml-path.ts';
import { type LocalConnector, readConnectors, typesOf } from '../run/local-connectors.ts';
import { localContext } from '../run/local-context.ts';
import { localPlugins } from '../run/local-plugins.ts';

/** For all questions to one connector. */
const ANSWER_MS_MAX = 30_000;

export interface OnlineSources {
  /** A YAML or JSON file of `name: {type, config}`; null for none. */
  readonly file: string | null;
  /** `name=@file` or `name=type:text`; they win over the file's. */
  readonly given: readonly string[];
  readonly fileRoots: readonly string[];
  /** Paths and packages of drivers of one's own. */
  readonly drivers?: readonly string[] | undefined;
}

type Report = (path: Path, message: string, part?: 'key') => void;

/** A column that a step names, with its place in the step. */
type Named = readonly [path: Path, name: string];

interface Asked {
  readonly driver: Driver;
  readonly connection: Connection;
  readonly signal: AbortSignal;
  readonly report: Report;
}

/** The arguments under which methods name what they work on. */
const RESOURCE_ARGS = ['table', 'collection', 'resource', 'file'];

/**
 * What connectors say of a task's YAML: tables, files and columns that they do not have. Only what is written out is asked for, of the
 * connectors that are given; what a load makes when it is missing may be missing. Nothing for a text that does not parse.
 */
export async function onlineProblems(text: string, sources: OnlineSources): Promise<readonly Problem[]> {
  const parsed = parseTask(text);
  const loaded = loadYaml(text);
  if (!parsed.ok || !loaded.ok) return [];
  const problems: Problem[] = [];
  const report: Report = (path, message, part) => {
    problems.push({ path: formatPath(path), message, ...loaded.document.positionOf(path, part) });
  };
  const { connectors } = parsed.task;
  const declared = Object.keys(connectors);
  const given = sources.given.filter((one) => declared.includes(one.slice(0, one.indexOf('='))));
  const from = { file: sources.file, given, drivers: sources.drivers };
  const { byName, drivers, folders } = await readConnectors(from, declared);
  const plugins = await localPlugins(typesOf(byName));
  const context = localContext([...sources.fileRoots, ...folders], { plugins, drivers });
  for (const connector of Object.values(byName)) {
    const path = ['connectors', connector.name];
    const wanted = connectors[connector.name]?.type;
    if (connector.type === wanted) await askConnector(parsed.task, connector, context, report);
    else
      report(
        path,
        `The connector passed for "${connector.name}" is of type ${connector.type}, not ${wanted}`,
      );
  }
  return problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

async function askConnector(
  task: Task,
  { name, type, config }: LocalConnector,
  context: ConnectContext,
  report: Report,
): Promise<void> {
  const driver = await loadDriver(type, context.drivers);
  if (driver === undefined) return;
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  let connection: Connection | null = null;
  try {
    connection = await driver.connect(config, context);
    await connection.test(signal);
    for (const { step, path } of stepsWithPaths(task.steps, ['steps'])) {
      const asked = { driver, connection, signal, report };
      for (const [at, op] of step.kind === 'transform' ? step.ops.entries() : [])
        if (op.op === 'lookup' && op.connector === name)
          await checkCall(asked, op, [...path, 'ops', at, 'lookup'], namesOf(op));
      if (!('connector' in step) || step.connector !== name) continue;
      await checkStep(asked, step, path);
    }
  } catch (error) {
    if (error instanceof AbsentStoreError && isMadeBy(task, name)) return;
    report(['connectors', name], `Querying the connector "${name}" failed: ${messageOf(error)}`);
  } finally {
    await connection?.close();
  }
}

/** A load of the task makes what the connector leads to, such as a database file, when it is not there. */
function isMadeBy(task: Task, connector: string): boolean {
  return everyStep(task).some((step) => step.kind === 'load' && step.connector === connector);
}

/** The columns of the connector's rows that a lookup reads; a name with a dot leads into one. */
function namesOf({ on, fields }: LookupOp): readonly Named[] {
  const pairs = (key: string, list: LookupOp['on']) =>
    list.filter(({ right }) => !right.includes('.')).map(({ left, right }): Named => [[key, left], right]);
  return [...pairs('on', on), ...pairs('fields', fields)];
}

async function checkStep(
  asked: Asked,
  step: Extract<Step, { readonly connector: string }>,
  path: Path,
): Promise<void> {
  const { connection, signal, report } = asked;
  if (step.kind === 'load') {
    const columns = await columnsOf(connection, literal(step.object.source), signal);
    const keys = step.key.map((name, at): Named => [['key', at], name]);
    if (Array.isArray(columns)) reportColumns(keys, columns, path, report);
    return;
  }
  const cursor = step.kind === 'extract' ? step.cursor : null;
  await checkCall(
    asked,
    step,
    path,
    cursor === null || cursor.field === '' ? [] : [[['cursor', 'field'], cursor.field]],
  );
}

/** `names`: columns that are named beside the arguments. */
async function checkCall(
  { driver, connection, signal, report }: Asked,
  { method: methodName, args: { source } }: Pick<LookupOp, 'method' | 'args'>,
  path: Path,
  names: readonly Named[],
): Promise<void> {
  const args = isRecord(source) ? source : {};
  const key = RESOURCE_ARGS.find((one) => literal(args[one]) !== null);
  const method = driver.methods.find(({ name }) => name === methodName);
  const named = literal(key === undefined ? method?.pageOf?.(args)?.resource : args[key]);
  const columns = await columnsOf(connection, named === '' ? await only(connection, signal) : named, signal);
  if (typeof columns === 'string') {
    const resources = (await connection.listResources(signal)).map(({ name }) => name);
    const hint = key === undefined ? '' : didYouMean(String(args[key]), resources);
    report(key === undefined ? [...path, 'method'] : [...path, 'args', key], `${columns}${hint}`);
  } else if (columns !== null) {
    reportColumns([...namesIn(args), ...names], columns, path, report);
  }
}

function reportColumns(
  names: readonly Named[],
  columns: readonly string[],
  path: Path,
  report: Report,
): void {
  for (const [at, name] of names) {
    if (columns.includes(name) || name.includes('{{')) continue;
    const hint = didYouMean(name, columns) || `; there are ${columns.join(', ')}`;
    report(
      [...path, ...at],
      `There is no column "${name}"${hint}`,
      at.at(-2) === 'filter' ? 'key' : undefined,
    );
  }
}

/** The names of a resource's columns, or what is wrong with it; null where it is not known which one it is. */
async function columnsOf(
  connection: Connection,
  resource: string | null,
  signal: AbortSignal,
): Promise<readonly string[] | string | null> {
  if (resource === null) return null;
  try {
    return (await connection.describe(resource, signal)).map(({ name }) => name);
  } catch (error) {
    if (error instanceof ConnectorError && error.fault === 'CONFIG') return error.message;
    throw error;
  }
}

/** The only resource of a connector; null where it has several, or none. */
async function only(connection: Connection, signal: AbortSignal): Promise<string | null> {
  const [first, ...others] = await connection.listResources(signal);
  return others.length === 0 ? (first?.name ?? null) : null;
}

/** Columns that arguments name, each with its place. */
function namesIn(args: Readonly<Record<string, unknown>>): readonly Named[] {
  const listed = (key: string, nameOf: (text: string) => string) => {
    const list = Array.isArray(args[key]) ? args[key] : [];
    return list.flatMap((item: unknown, at) =>
      typeof item === 'string' ? [[['args', key, at], nameOf(item)] as const] : [],
    );
  };
  // Operators of a document database hold fields; only those beside them are looked at.
  const filter = isRecord(args['filter'])
    ? Object.keys(args['filter']).filter((name) => !name.startsWith('$'))
    : [];
  return [
    ...listed('columns', (name) => name),
    ...filter.map((name) => [['args', 'filter', name], name] as const),
    ...listed('sort', (name) => name.replace(/^-/, '')),
  ];
}

function literal(value: unknown): string | null {
  return typeof value === 'string' && !value.includes('{{') ? value : null;
}
