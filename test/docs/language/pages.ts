import { publishedSchema } from '../../../src/language/published-schemas.ts';
import { splitShared } from '../reference/document-pages.ts';
import { code, pageHead, sentence, table } from '../reference/markdown.ts';
import { idleKeys, type KeyRow, keyRows, keyTable } from '../reference/schema-rows.ts';
import { type Definitions, isSchema, type Schema } from '../reference/schema-type.ts';
import {
  type Example,
  FUNCTIONS,
  type FunctionExample,
  OP_EXAMPLES,
  STEP_EXAMPLES,
  TASK_EXAMPLES,
} from './examples.ts';
import { namesByPlace } from './name-places.ts';

const NOTATION =
  'In the tables `a.b` is the key `b` inside `a`, `a[].b` the key `b` of each item of the list `a`, and `a.<name>.b` the key `b` of each entry of the map `a`, whose names you choose. Durations are `30s`, `5m`, `2h`, `1d` or `1.5h`.';
const TESTED = 'Every example is run by a test, and what it shows is what the test found.';

const schema = publishedSchema('task');
const definitions = schema['$defs'] as Definitions;
const LINKS: Readonly<Record<string, string>> = { step: '[step](steps.md#every-step)' };
const context = { definitions, linkOf: (of: string) => LINKS[of] ?? null };
const propertiesOf = (of: Schema | undefined) =>
  (of?.['properties'] ?? {}) as Readonly<Record<string, Schema>>;
const firstKey = (row: KeyRow) => row.path.split(/[.[]/, 1)[0] ?? '';

/** The pages of `docs/language/` that are made from the declarations, by their names. */
export const LANGUAGE_PAGES: Readonly<Record<string, () => string>> = {
  'task.md': taskPage,
  'steps.md': stepsPage,
  'operations.md': operationsPage,
  'names.md': namesPage,
  'functions.md': functionsPage,
};

function taskPage(): string {
  const rows = keyRows(schema, context);
  const intro = `The keys of a task, from the top. What stands under \`steps\`: [steps](steps.md). Editors check and complete a task with the schema that a server publishes: \`# yaml-language-server: $schema=http://127.0.0.1:8080/api/schemas/task\` as the first line of the file.`;
  return [
    pageHead('Task', `${intro}\n\n${NOTATION}`),
    keyTable(rows),
    `\n## Examples\n\n${TESTED}\n`,
    ...Object.entries(TASK_EXAMPLES).map(([name, examples]) => `\n### ${name}\n${shownAll(examples)}`),
  ].join('');
}

function stepsPage(): string {
  const names = Object.keys(definitions).filter((name) => name.endsWith('_step'));
  const { shared, own } = splitShared(names, definitions, context);
  const kinds = own.map((kind) => ({ ...kind, kind: kind.name.replace(/_step$/, '') }));
  const retried = retryRows();
  return [
    pageHead(
      'Steps',
      `What may stand under \`steps\`, \`on_failure\` and \`finally\` of a [task](task.md), and in the lists of steps inside \`foreach\`, \`branch\` and \`parallel\`. ${TESTED}\n\n${NOTATION}`,
    ),
    '\n## Which step\n',
    table(
      ['kind', 'rows', 'retries by default', '`on_error`', 'description'],
      kinds.map(({ kind, name, words }) => [
        `[${kind}](#${kind})`,
        rowsWords(definitions[name]),
        retriesWords(definitions[name]),
        errorsWords(definitions[name]),
        words,
      ]),
    ),
    '\nEach kind is allowed in every list of steps, up to 8 lists deep, at most 200 steps in a list and 1,000 in a task. A `cursor` is refused inside a `foreach`, and an `input` names a step of the same list.\n',
    `\n## Every step\n\nKeys of each step, whatever its kind. \`when\`, \`on_error\` and \`retry\` are there too; their words depend on the kind.\n`,
    keyTable([...shared, ...retried]),
    ...kinds.map(({ kind, words, rows }) => {
      const others = rows.filter((row) => !isInside(row, ['retry', 'ops']));
      const ops: readonly KeyRow[] = rows.filter((row) => row.path === 'ops');
      const list = ops.map((row) => ({
        ...row,
        words: `${row.words} All of them: [operations](operations.md).`,
      }));
      return `\n## ${kind}\n\n${words}\n${keyTable([...others.filter((row) => row.path !== 'ops'), ...list])}${shownAll(STEP_EXAMPLES[kind])}`;
    }),
  ].join('');
}

const isInside = (row: KeyRow, keys: readonly string[]) =>
  keys.includes(firstKey(row)) && row.path.length > firstKey(row).length;

/** The keys inside `retry`, which are the same for all kinds. */
function retryRows(): readonly KeyRow[] {
  return keyRows(definitions['extract_step'] ?? {}, context).filter((row) => isInside(row, ['retry']));
}

function rowsWords(step: Schema | undefined): string {
  const keys = propertiesOf(step);
  const takes = keys['input'] !== undefined || keys['inputs'] !== undefined;
  const gives = keys['batch'] !== undefined && keys['object'] === undefined;
  if (takes && gives) return 'takes and gives';
  if (takes) return 'takes';
  return gives ? 'gives' : 'none';
}

function retriesWords(step: Schema | undefined): string {
  if (idleKeys(step ?? {}).has('retry')) return 'none';
  const words = String(propertiesOf(step)['retry']?.['description'] ?? '');
  return /Default: (.+)\.$/.exec(words)?.[1] ?? '';
}

function errorsWords(step: Schema | undefined): string {
  if (idleKeys(step ?? {}).has('on_error')) return 'none: fails as a whole';
  const words = String(propertiesOf(step)['on_error']?.['description'] ?? '');
  return /What happens to (.+?):/.exec(words)?.[1] ?? 'the step itself';
}

function operationsPage(): string {
  const ops = (propertiesOf(definitions['transform_step'])['ops'] as Schema)['items'];
  const kinds = propertiesOf(isSchema(ops) ? ops : {});
  const rows = keyRows({ properties: kinds }, context);
  const wordsOf = (op: string) => rows.find((row) => row.path === op);
  return [
    pageHead(
      'Operations',
      `What may stand under \`ops\` of a [transform](steps.md#transform), one after another, at most 100. \`on_error\` of the step says what becomes of a row that fails. ${TESTED}\n\n${NOTATION}`,
    ),
    '\n',
    table(
      ['operation', 'value', 'description'],
      Object.keys(kinds).map((op) => [`[${op}](#${op})`, wordsOf(op)?.type ?? '', wordsOf(op)?.words ?? '']),
    ).trimStart(),
    ...Object.keys(kinds).map((op) => {
      const inside = rows.filter((row) => firstKey(row) === op && row.path !== op);
      return `\n## ${op}\n\n${wordsOf(op)?.words}\n${keyTable(inside)}${shownAll(OP_EXAMPLES[op])}`;
    }),
  ].join('');
}

function namesPage(): string {
  const titles = { task: 'Tasks', 'job-template': 'Job templates', dashboard: 'Dashboards' } as const;
  const places = namesByPlace();
  const intro =
    'Which names [expressions](../expressions.md) read in which place. The table is what the validator itself answers; a name that is not there is refused when the document is saved. What each name holds: [variables](../expressions.md#variables).\n\nA step that has ended is `steps.<id>` with `count` (rows out), `status` and, where it gives one, `output`. Failed rows have no name of their own: the table at the end of `headgate run` counts them for each step, and so does the difference of two counts, `steps.read.count - steps.check.count`, where no row is filtered.';
  return [
    pageHead('Names in expressions', intro),
    ...Object.entries(titles).map(([kind, title]) => {
      const own = places.filter((place) => place.kind === kind);
      const cells = own.map(({ words, names }) => [words, names.map(code).join(', ')]);
      return `\n## ${title}\n${table(['place', 'names'], cells)}`;
    }),
  ].join('');
}

const GROUPS: Readonly<Record<string, string>> = {
  texts: 'Texts',
  numbers: 'Numbers',
  lists: 'Lists',
  objects: 'Objects',
  truth: 'Truth and errors',
  times: 'Times',
};

function functionsPage(): string {
  const line = ({ call, words, example, result }: FunctionExample) => [
    code(call),
    words,
    code(example),
    result === 'nothing' ? result : code(result),
  ];
  const intro =
    'All functions of [expressions](../expressions.md), each with an example that a test evaluates. They are those of [JSONata](https://docs.jsonata.org) 2 without `$eval`. A first argument that is left out is the value that stands before the dot: `item.name.$trim()`. Functions give nothing for nothing, and refuse null.';
  return [
    pageHead('Functions', intro),
    ...Object.entries(FUNCTIONS).map(
      ([group, functions]) =>
        `\n## ${GROUPS[group]}\n${table(['function', 'gives', 'example', 'result'], functions.map(line))}`,
    ),
  ].join('');
}

function shownAll(examples: readonly Example[] | undefined): string {
  if (examples === undefined) throw new Error('There is no example');
  return examples.map(shown).join('');
}

/** An example as the page shows it: what it reads, the YAML, and what it leaves. */
function shown(example: Example): string {
  const { about, files = {}, tables, then, other, args, config, shown: yaml } = example;
  const operation = yaml.kind === 'ops';
  const parts = [
    about ?? '',
    config && block('json', JSON.stringify(config, null, 2)),
    tables && block('sql', tables),
    ...Object.entries(files).map(([name, text]) =>
      input(operation ? (OP_FILES[name] ?? '') : code(name), text),
    ),
    ...Object.entries(then ?? {}).map(([name, text]) => input(`${code(name)} of the second run`, text)),
    other !== undefined && !operation && `The other task:\n\n${block('yaml task', other)}`,
    block(`yaml ${yaml.kind}`, yaml.text),
    args &&
      `With ${Object.entries(args)
        .map(([name, value]) => code(`--arg ${name}=${String(value)}`))
        .join(' ')}:`,
    ...results(example),
  ];
  return parts
    .filter((part): part is string => typeof part === 'string' && part !== '')
    .map((part) => `\n${part}\n`)
    .join('');
}

const OP_FILES: Readonly<Record<string, string>> = {
  'rows.ndjson': 'The rows',
  'customers.ndjson': 'The rows of `read_customers`',
};

function results({
  gives,
  sql,
  rows,
  outputs,
  log,
  letters,
  status,
  failure,
  then,
  tests,
}: Example): readonly (string | false | undefined)[] {
  const runs = then === undefined ? 'Its outputs' : 'Its outputs, run after run';
  return [
    gives !== undefined && input('become', gives),
    outputs !== undefined && input(runs, outputs),
    log !== undefined && input('Its log', log),
    sql !== undefined && `${block('sql', sql)}\n\n${block('text', rows ?? '')}`,
    tests === true && block('text', rows ?? ''),
    letters !== undefined && input('and a dead letter', letters),
    status !== undefined &&
      `It ends as ${code(status)}${failure === undefined ? '.' : `:\n\n${block('text', failure)}`}`,
  ];
}

const input = (words: string, text: string) =>
  `${sentence(words).replace(/\.$/, '')}:\n\n${block('text', text)}`;

function block(info: string, text: string): string {
  return `\`\`\`${info}\n${text.trimEnd()}\n\`\`\``;
}
