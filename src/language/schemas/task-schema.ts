import { CONCURRENCY_MAX } from '../task/task-concurrency.ts';
import { METRICS_BACKEND_KEYS, METRICS_ENTRIES_MAX } from '../task/task-metrics.ts';
import { TEST_ROWS_MAX, TESTS_MAX } from '../task/task-tests.ts';
import { argumentsSchema, headerSchemas, retrySchema } from './common-schemas.ts';
import {
  createSchemaKit,
  is,
  type JsonSchema,
  objectOf,
  type Properties,
  pickSchemas,
  type SchemaKit,
  when,
} from './schema-kit.ts';
import { stepsSchema } from './step-schemas.ts';

const URL_CHARS_MAX = 2_000;

/** The schema of a task's YAML. */
export function taskSchema(): JsonSchema {
  const kit = createSchemaKit({ variables: false });
  const { steps, definitions } = stepsSchema(kit);
  const connector = objectOf(
    'A connector that the task uses.',
    { type: kit.name('The type that a connector must have to be bound to it.', 'word') },
    { required: ['type'] },
  );
  const limit = kit.integer('Runs of the task that may go on at once.', 1, CONCURRENCY_MAX);
  const properties: Properties = {
    ...headerSchemas(kit, 'task'),
    connectors: kit.entries('The task’s own names for the connectors it uses.', connector, 'word'),
    args: argumentsSchema(kit),
    timeout: kit.duration('The longest time of a run.'),
    deadline: kit.duration('A run that has not ended so long after it was created is cancelled.'),
    retry: retrySchema(kit),
    concurrency: {
      description: 'Runs of the task that may go on at once: a number, or a map with `limit`.',
      anyOf: [limit, objectOf('A map with `limit`.', { limit }, { required: ['limit'] })],
    },
    metrics: metricsSchema(kit),
    steps,
    tests: testsSchema(kit),
  };
  const document = objectOf('Moves rows: extract, transform, load, call, assert, log.', properties, {
    required: ['name', 'steps'],
  });
  return { title: 'Headgate task', ...document, $defs: { ...kit.definitions, ...definitions } };
}

function testsSchema(kit: SchemaKit): JsonSchema {
  const rows = kit.list('Rows, each a map of column to value.', { type: 'object' }, { max: TEST_ROWS_MAX });
  const ofSteps = (words: string, list: string) => ({
    description: `${words} ${list}`,
    anyOf: [rows, kit.entries(words, rows, 'key')],
  });
  const test = objectOf(
    'An example.',
    {
      name: kit.text('What the example shows; no other has its name.', { required: true, charsMax: 200 }),
      args: kit.entries('The run’s arguments.', {}),
      job_config: kit.entries('The job’s configuration.', {}),
      input: ofSteps('By extract, the rows that it gives.', 'A list is for the only extract.'),
      expect: ofSteps(
        'By extract or transform, the rows that it must give.',
        'A list is for the last transform.',
      ),
    },
    { required: ['name', 'input', 'expect'] },
  );
  return kit.list('Examples, which `headgate test` runs.', test, { max: TESTS_MAX });
}

type Backend = keyof typeof METRICS_BACKEND_KEYS;

const REQUIRED: Readonly<Record<Backend, readonly string[]>> = {
  noop: [],
  localdb: [],
  statsd: [],
  http: ['url'],
  serverdb: ['url'],
};

function metricsSchema(kit: SchemaKit): JsonSchema {
  const backends = Object.keys(METRICS_BACKEND_KEYS) as Backend[];
  const known = configSchemas(kit);
  const rules = backends.map((backend) => {
    const keys = METRICS_BACKEND_KEYS[backend];
    const config = objectOf('Of the backend.', pickSchemas(`the backend ${backend}`, keys, known[backend]), {
      required: REQUIRED[backend],
    });
    const needed = REQUIRED[backend].length > 0;
    return when(is('backend', backend), {
      ...(needed ? { required: ['config'] } : {}),
      properties: { config: needed ? config : { anyOf: [config, { type: 'null' }] } },
    });
  });
  const entry = objectOf(
    'Where points go.',
    {
      backend: kit.oneOf('The kind of place.', backends),
      config: { description: 'Of the backend.' },
    },
    { required: ['backend'], rules },
  );
  return kit.list('Where the metrics of its runs go, instead of the server’s own.', entry, {
    max: METRICS_ENTRIES_MAX,
  });
}

function configSchemas(kit: SchemaKit): Readonly<Record<Backend, Properties>> {
  const retention_days = kit.integer('Days that points are kept.', 1, 3_650);
  return {
    noop: {},
    localdb: {
      path: {
        description: 'A file in the server’s folder for metrics, such as ./metrics.db.',
        type: 'string',
        maxLength: 500,
        pattern: '^(?![/\\\\]|[A-Za-z]:)(?!(?:[\\s\\S]*[/\\\\])?\\.\\.(?:[/\\\\]|$))[\\s\\S]+$',
      },
      retention_days,
    },
    statsd: {
      host: kit.text('Host of the StatsD server.', { charsMax: 255 }),
      port: kit.integer('Port of the StatsD server.', 1, 65_535),
      prefix: kit.text('Put before each name.', { charsMax: 100 }),
      tags: kit.entries('Put to each point.', { type: 'string' }),
      tag_format: kit.oneOf('How tags are written.', ['datadog', 'none']),
      buffer_bytes: kit.integer('Bytes that are gathered before a packet is sent.', 0, 65_507),
      flush_ms: kit.integer('Milliseconds after which they are sent anyway.', 10, 60_000),
    },
    http: {
      url: kit.form('Where points are posted to.', '^https?://[^/]', URL_CHARS_MAX),
      key: kit.text('Sent as a bearer token.', { charsMax: 500 }),
    },
    serverdb: {
      url: kit.form('Of the PostgreSQL database.', '^postgres(?:ql)?://', URL_CHARS_MAX),
      retention_days,
    },
  };
}
