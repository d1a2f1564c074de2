import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../src/base/clock.ts';
import { withScriptFiles } from '../../../src/commands/kit/script-files.ts';
import { testTask } from '../../../src/engine/preview/test-task.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { createKeeper, rowsOf, runYaml } from '../../engine/support/task-run.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import type { Example } from './examples.ts';

type Result = Partial<Pick<Example, 'status' | 'failure' | 'outputs' | 'log' | 'letters' | 'rows' | 'gives'>>;

const CONFIGS: Readonly<Record<string, unknown>> = {
  csv: { path: '.' },
  json: { path: '.' },
  sqlite: { path: 'warehouse.db' },
};
const SCRIPTS = { python: null, memoryMb: 256 };
/** Steps whose lines in the log are what they do. */
const TELLING = ['log', 'assert', 'stop'];

/** Runs an example, as often as it says, in a folder of its own, and gives what it left of everything that it shows. */
export async function runExample(example: Example): Promise<Result> {
  if (example.tests === true) return { rows: await testLines(example) };
  const folder = mkdtempSync(join(tmpdir(), 'headgate-example-'));
  try {
    return await runIn(folder, example);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runIn(folder: string, example: Example): Promise<Result> {
  const { files = {}, tables, then, other, args = {}, config = {} } = example;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const yaml = withScriptFiles(example.task, join(folder, 'task.yaml'));
  const parsed = parsedTask(yaml);
  const connectors = Object.fromEntries(
    Object.entries(parsed.connectors).map(([name, { type }]) => [name, { type, config: CONFIGS[type] }]),
  );
  const database = join(folder, 'warehouse.db');
  if (tables !== undefined) execute(database, tables);
  const keeper = createKeeper();
  const tasks = other === undefined ? {} : { [parsedTask(other).name]: parseTask(other) };
  const outputs: string[] = [];
  let last: Awaited<ReturnType<typeof runYaml>> | null = null;
  for (const [n, texts] of [files, ...(then === undefined ? [] : [then])].entries()) {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    const input = { args, jobConfig: config, tasks, run: { id: n + 7, attempt: 1 } };
    last = await runYaml({ folder, yaml, connectors, keeper, input, scripts: SCRIPTS });
    outputs.push(`${JSON.stringify(last.outputs)}\n`);
  }
  const telling = new Set(
    [yaml, other ?? ''].flatMap((text) =>
      [...text.matchAll(/id: (\w+),? *\n? *kind: (\w+)/g)].flatMap(([, id = '', kind = '']) =>
        TELLING.includes(kind) ? [id] : [],
      ),
    ),
  );
  const told = keeper.logs.filter(({ step_id }) => telling.has(step_id.split('/').at(-1) ?? ''));
  return {
    status: last?.status ?? '',
    failure: `${last?.failure?.code}: ${last?.failure?.message}\n`,
    outputs: outputs.join(''),
    log: lines(
      told.filter(({ message }) => !/^\w+ (started|ended|skipped)/.test(message)),
      ({ level, step_id, message }) => `${level} ${step_id}: ${message}`,
    ),
    letters: lines(keeper.letters, ({ code, message }) => `${code}: ${message}`),
    ...(example.sql && { rows: lines(rowsOf(database, example.sql), (row) => Object.values(row).join(',')) }),
    ...(example.gives && { gives: readFileSync(join(folder, 'out.ndjson'), 'utf8') }),
  };
}

async function testLines({ task: yaml }: Example): Promise<string> {
  const task = parsedTask(yaml);
  const context = { drivers: allDrivers, clock: systemClock, signal: new AbortController().signal };
  const results = await Promise.all(task.tests.map((test) => testTask(task, test, context)));
  return lines(results, ({ holds }, n) => `${task.tests[n]?.name}: ${holds ? 'passed' : 'failed'}`);
}

function parsedTask(yaml: string) {
  const parsed = parseTask(yaml);
  if (!parsed.ok) throw new Error(`${JSON.stringify(parsed.problems)} in ${yaml}`);
  return parsed.task;
}

function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

function lines<T>(values: readonly T[], textOf: (value: T, index: number) => string): string {
  return values.map((value, index) => `${textOf(value, index)}\n`).join('');
}
