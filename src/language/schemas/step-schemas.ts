import { STEP_READERS } from '../task/steps/read-step.ts';
import { COMMON_KEYS, type StepReader } from '../task/steps/step-base.ts';
import type { StepKind } from '../task/task.ts';
import { methodSchema, retrySchema } from './common-schemas.ts';
import {
  has,
  is,
  type JsonSchema,
  objectOf,
  type Properties,
  pickSchemas,
  type SchemaKit,
  when,
  without,
} from './schema-kit.ts';
import { opsSchema } from './transform-op-schemas.ts';

const STEP_WORDS: Readonly<Record<StepKind, string>> = {
  extract: 'Rows from a method of a connector, as a stream of batches.',
  transform: 'Rows into rows, by operations one after another.',
  load: 'Rows into a table, a file or a collection of a connector.',
  call: 'One call of a method of a connector; its answer is `steps.<id>.output`.',
  assert: 'An expression that must be true.',
  log: 'A line in the log of the run.',
};

const CURSOR_TYPES = ['string', 'integer', 'number', 'date', 'datetime'];
const LOAD_MODES = ['append', 'replace', 'upsert', 'merge'];

/** `steps` of a task. Each kind has its own keys: a step is described by the definition of its `kind`. */
export function stepsSchema(kit: SchemaKit): {
  readonly steps: JsonSchema;
  readonly definitions: Properties;
} {
  const kinds = Object.keys(STEP_READERS) as StepKind[];
  const definitions = Object.fromEntries(
    kinds.map((kind) => [`${kind}_step`, stepSchema(kit, kind, STEP_READERS[kind])]),
  );
  const step: JsonSchema = {
    title: 'A step',
    type: 'object',
    required: ['kind'],
    properties: { kind: { description: 'What the step does.', enum: kinds } },
    allOf: kinds.map((kind) => when(is('kind', kind), { $ref: `#/$defs/${kind}_step` })),
  };
  const steps = kit.list('What the task does, one step after another.', step, { min: 1, max: 200 });
  return { steps, definitions };
}

function stepSchema(kit: SchemaKit, kind: StepKind, reader: StepReader): JsonSchema {
  const keys = [...COMMON_KEYS.keys, ...reader.keys.keys];
  const known = { ...commonSchemas(kit, kind, reader), ...KIND_SCHEMAS[kind](kit) };
  const schema = objectOf(STEP_WORDS[kind], pickSchemas(`a step of kind ${kind}`, keys, known), {
    required: ['id', 'kind', ...REQUIRED[kind]],
    rules: kind === 'load' ? LOAD_RULES : [],
  });
  return { title: `A step of kind ${kind}`, ...schema };
}

const REQUIRED: Readonly<Record<StepKind, readonly string[]>> = {
  extract: ['connector', 'method'],
  transform: ['input', 'ops'],
  load: ['input', 'connector', 'object'],
  call: ['connector', 'method'],
  assert: ['check_expr'],
  log: ['message'],
};

const LOAD_RULES: readonly JsonSchema[] = [
  when(is('mode', 'merge', 'upsert'), has('key'), without('key')),
  when(is('mode', 'replace'), {}, without('allow_empty')),
];

function commonSchemas(kit: SchemaKit, kind: StepKind, reader: StepReader): Properties {
  return {
    id: kit.name('Of the step, for `needs`, `input` and `steps.<id>` in expressions.', 'word'),
    kind: { description: 'What the step does.', const: kind },
    name: kit.text('What people read instead of the id.'),
    when: kit.expression(
      reader.takesRows
        ? 'The step is skipped where this is false; where it reads `item`, each row for which it is.'
        : 'The step is skipped where this is false.',
    ),
    needs: kit.names('Steps that must have ended before. Default: the step before.'),
    input: kit.text('The step whose rows this one takes.', { required: true }),
    timeout: kit.duration('The longest time of an attempt.'),
    retry: retrySchema(kit),
    on_error: onErrorSchema(kit, reader.takesRows || reader.givesRows),
    allow_failure: kit.flag('Whether the task goes on, and may succeed, when the step fails.'),
    batch: objectOf('How many rows go through at a time.', {
      size: kit.integer('Rows of a batch; 1,000 by default.', 1, 50_000),
    }),
  };
}

function onErrorSchema(kit: SchemaKit, rows: boolean): JsonSchema {
  const words = rows
    ? 'fail (the default), skip the rows that fail, or keep them as dead letters.'
    : 'fail (the default), or skip.';
  const actions = rows ? ['fail', 'skip', 'dead_letter'] : ['fail', 'skip'];
  const map = objectOf(
    words,
    {
      action: kit.oneOf(words, actions),
      max_errors: kit.integer('The step fails beyond so many errors.', 0, 1_000_000_000),
      max_error_rate: kit.number('The step fails beyond this part of all rows, 0 to 1.', 0, 1),
    },
    {
      required: ['action'],
      rules: rows
        ? [when(is('action', 'fail'), without('max_errors', 'max_error_rate'))]
        : [without('max_errors', 'max_error_rate')],
    },
  );
  return { description: words, anyOf: [{ enum: actions }, map] };
}

const connectorSchema = (kit: SchemaKit) =>
  kit.text('One of the names under `connectors`.', { required: true });

function callSchemas(kit: SchemaKit): Properties {
  const args = 'Arguments of the method, with `{{ expression }}` in their texts.';
  return {
    connector: connectorSchema(kit),
    method: methodSchema(kit),
    args: {
      description: args,
      anyOf: [{ type: 'object' }, { type: 'string', pattern: '^\\s*\\{\\{[\\s\\S]*\\}\\}\\s*$' }],
    },
  };
}

const KIND_SCHEMAS: Readonly<Record<StepKind, (kit: SchemaKit) => Properties>> = {
  extract: (kit) => ({ ...callSchemas(kit), cursor: cursorSchema(kit) }),
  transform: (kit) => ({ ops: opsSchema(kit) }),
  load: (kit) => ({
    connector: connectorSchema(kit),
    object: kit.text('The table, file or collection.', { required: true }),
    mode: kit.oneOf('How the rows go in; append by default.', LOAD_MODES),
    key: {
      ...kit.names('Columns by which merge and upsert find the row that is there.'),
      minItems: 1,
    },
    allow_empty: kit.flag('Whether replace may leave nothing behind; false by default.'),
  }),
  call: callSchemas,
  assert: (kit) => ({
    check_expr: kit.expression('What must be true.'),
    severity: kit.oneOf('Whether the task fails (error, the default) or only says so.', ['warn', 'error']),
    message: kit.text('What is said when it is not true, with `{{ expression }}`.'),
  }),
  log: (kit) => ({
    level: kit.oneOf('info by default.', ['debug', 'info', 'warn', 'error']),
    message: kit.text('The line, with `{{ expression }}`.', { required: true }),
  }),
};

function cursorSchema(kit: SchemaKit): JsonSchema {
  const properties: Properties = {
    field: kit.text('The column that grows.', { required: true }),
    type: kit.oneOf('Of its values.', CURSOR_TYPES),
    initial: { description: 'Where the first run starts; `{{ expression }}` may stand in it.' },
    lookback: kit.duration('How far back of the last value each run begins.'),
  };
  return objectOf('Only what is new since the last run.', properties, {
    required: ['field', 'type'],
    rules: [when(is('type', 'string', 'integer', 'number'), without('lookback'))],
  });
}
