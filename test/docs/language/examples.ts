import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

type Texts = Readonly<Record<string, string>>;

/** What an example reads, and what it leaves; texts as the page shows them. */
export interface Example {
  readonly about?: string;
  /** Texts of files, by their names. */
  readonly files?: Texts;
  /** Statements that make the tables of the database. */
  readonly tables?: string;
  /** Files of a second run; without it there is one run. */
  readonly then?: Texts;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
  /** YAML of the whole task. */
  readonly task: string;
  /** What the page shows of it: the whole task, its operations, or one step. */
  readonly shown: { readonly kind: 'task' | 'ops' | 'steps'; readonly text: string };
  /** YAML of a task that this one runs. */
  readonly other?: string;
  /** The task's own tests are run, and not the task. */
  readonly tests?: boolean;
  readonly status?: string;
  readonly failure?: string;
  /** JSON of each run, a line each. */
  readonly outputs?: string;
  /** Lines of the steps that log something themselves. */
  readonly log?: string;
  readonly letters?: string;
  /** A SELECT on the database after the last run, and the lines of its rows. */
  readonly sql?: string;
  readonly rows?: string;
  /** Lines of the file that an operation's rows were written into. */
  readonly gives?: string;
}

/** An example of an operation, as it stands in its file. */
interface OpText {
  readonly about?: string;
  readonly rows: string;
  readonly ops: string;
  readonly gives: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly tables?: string;
  readonly other?: string;
  readonly on_error?: string;
  readonly letters?: string;
}

type StepText = Omit<Example, 'shown' | 'task'> & { readonly task?: string; readonly step?: string };

function load<T>(name: string): Readonly<Record<string, T>> {
  return parse(readFileSync(join(import.meta.dirname, 'examples', name), 'utf8')) as Readonly<
    Record<string, T>
  >;
}

function each<T>(
  name: string,
  toExample: (text: T) => Example,
): Readonly<Record<string, readonly Example[]>> {
  const entries = Object.entries(load<readonly T[]>(name));
  return Object.fromEntries(entries.map(([key, texts]) => [key, texts.map(toExample)]));
}

const JSON_LINES = { connector: 'files', method: 'read' };

function opExample({ rows, ops, gives, other, on_error, ...rest }: OpText): Example {
  const read = { id: 'read', kind: 'extract', ...JSON_LINES, args: { file: 'rows.ndjson' } };
  const customers = {
    ...read,
    id: 'read_customers',
    args: { file: 'customers.ndjson' },
  };
  const shape = {
    id: 'shape',
    kind: 'transform',
    input: 'read',
    ops: parse(ops),
    ...(on_error && { on_error }),
  };
  const write = { id: 'write', kind: 'load', input: 'shape', connector: 'files', object: 'out.ndjson' };
  const task = {
    version: 1,
    name: 'operation',
    connectors: { files: { type: 'json' }, archive: { type: 'sqlite' } },
    steps: [read, ...(other === undefined ? [] : [customers]), shape, { ...write, mode: 'replace' }],
  };
  const files = { 'rows.ndjson': rows, ...(other === undefined ? {} : { 'customers.ndjson': other }) };
  return { ...rest, files, gives, task: JSON.stringify(task), shown: { kind: 'ops', text: ops } };
}

/** An example with a `step` alone is about a load: its rows come from `orders.csv`. */
function taskExample({ task, step, ...rest }: StepText): Example {
  if (task !== undefined) return { ...rest, task, shown: { kind: 'task', text: task } };
  const read = {
    id: 'read',
    kind: 'extract',
    connector: 'shop',
    method: 'read',
    args: { file: 'orders.csv' },
  };
  const whole = {
    version: 1,
    name: 'load_orders',
    connectors: { shop: { type: 'csv' }, warehouse: { type: 'sqlite' } },
    steps: [read, parse(step ?? '')],
  };
  return { ...rest, task: JSON.stringify(whole), shown: { kind: 'steps', text: `- ${step ?? ''}\n` } };
}

export const OP_EXAMPLES = each('operations.yaml', opExample);
export const STEP_EXAMPLES = each('steps.yaml', taskExample);
export const TASK_EXAMPLES = each('task.yaml', taskExample);

/** A function of expressions: how it is called, what it does, an example and its result as JSON. */
export interface FunctionExample {
  readonly name: string;
  readonly call: string;
  readonly words: string;
  readonly example: string;
  readonly result: string;
}

type FunctionText = readonly [name: string, call: string, words: string, example: string, result: string];

export const FUNCTIONS: Readonly<Record<string, readonly FunctionExample[]>> = Object.fromEntries(
  Object.entries(load<readonly FunctionText[]>('functions.yaml')).map(([group, texts]) => [
    group,
    texts.map(([name, call, words, example, result]) => ({ name, call, words, example, result })),
  ]),
);
