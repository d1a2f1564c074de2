import t from 'tap';
import type { Batch, Connection, ReadRequest } from '../../../src/drivers/driver.ts';
import { connectAirbyte } from '../../../src/drivers/plugins/airbyte/connect.ts';
import type { Plugin } from '../../../src/drivers/plugins/plugin.ts';
import { connectSinger } from '../../../src/drivers/plugins/singer/connect.ts';
import { contextWith, signal } from '../airbyte/scripted.ts';

/** Writes what its configuration says, as bytes of Latin-1, so that anything can be written. */
const WRITES = `
  const { readFileSync } = require('node:fs');
  const args = process.argv.slice(1);
  const config = JSON.parse(readFileSync(args[args.indexOf('--config') + 1], 'utf8'));
  const isDiscovery = args.includes('--discover') || args[0] === 'discover';
  process.stdout.write(Buffer.from(isDiscovery ? config.catalogue : config.output, 'latin1'));
`;
const plugin: Plugin = {
  name: 'writer',
  command: [process.execPath, '-e', WRITES, '--'],
  folder: null,
  memoryMb: 400,
};

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    f: { type: ['null', 'number'] },
    d: { type: ['null', 'string'], format: 'singer.decimal' },
    m: { type: ['null', 'number'], multipleOf: 0.01 },
    at: { type: ['null', 'string'], format: 'date-time' },
    n: { type: ['null', 'object'] },
  },
};
const STATE = '{"type":"STATE","value":{"at":9}}';

interface Kind {
  readonly connect: (output: string) => Promise<Connection>;
  readonly begin: string;
  readonly record: (data: string, stream?: string) => string;
  readonly state: string;
  readonly end: string;
  readonly args: object;
}

const singer: Kind = {
  connect: (output) => {
    const catalogue = JSON.stringify({
      streams: [{ tap_stream_id: 's', stream: 's', schema: SCHEMA, metadata: [] }],
    });
    return connectSinger({ plugin: 'writer', config: { output, catalogue } }, contextWith(plugin));
  },
  begin: `${JSON.stringify({ type: 'SCHEMA', stream: 's', schema: SCHEMA, key_properties: ['id'] })}\n`,
  record: (data, stream = 's') => `{"type": "RECORD", "stream": "${stream}", "record": ${data}}\n`,
  state: `${STATE}\n`,
  end: '',
  args: { stream: 's', replication_key: 'id' },
};

const status = (name: string) =>
  `${JSON.stringify({ type: 'TRACE', trace: { type: 'STREAM_STATUS', stream_status: { stream_descriptor: { name: 's' }, status: name } } })}\n`;
const airbyte: Kind = {
  connect: (output) => {
    const stream = {
      name: 's',
      json_schema: SCHEMA,
      supported_sync_modes: ['full_refresh', 'incremental'],
      source_defined_cursor: true,
    };
    const catalogue = JSON.stringify({ type: 'CATALOG', catalog: { streams: [stream] } });
    return connectAirbyte({ plugin: 'writer', config: { output, catalogue } }, contextWith(plugin));
  },
  begin: status('STARTED'),
  record: (data, stream = 's') =>
    `{"type":"RECORD","record":{"stream":"${stream}","emitted_at":1,"data":${data}}}\n`,
  state:
    '{"type":"STATE","state":{"type":"STREAM","stream":{"stream_descriptor":{"name":"s"},"stream_state":{"at":9}}}}\n',
  end: status('COMPLETE'),
  args: { stream: 's' },
};
const KINDS = { singer, airbyte };

async function readOf(kind: Kind, output: string, request: Partial<ReadRequest> = {}) {
  const connection = await kind.connect(output);
  const batches: Batch[] = [];
  const states: unknown[] = [];
  const state = { saved: null, onState: (told: unknown) => states.push(told) };
  const read = connection.read({ method: 'read', args: kind.args, signal, state, ...request });
  const error = await (async () => {
    for await (const batch of read) batches.push(batch);
    return null;
  })().catch((failed: Error) => failed.message);
  return { batches, rows: batches.flatMap(({ rows }) => rows), states, error };
}

for (const [name, kind] of Object.entries(KINDS)) {
  const good = kind.record('{"id":1}');
  t.test(`${name}: NaN and the infinities of Python are read, and all digits`, async (t) => {
    const records = ['1.5', 'NaN', '-Infinity', 'Infinity', '12345678901234567.89'].map((f, id) =>
      kind.record(`{"id":${id},"f":${f},"n":{"a":${f},"t":"NaN, \\"Infinity"}}`),
    );
    const { batches, rows, states, error } = await readOf(
      kind,
      kind.begin + records.join('') + kind.state + kind.end,
    );
    t.strictSame([error, states.length], [null, 1]);
    const values = [1.5, 'NaN', '-Infinity', 'Infinity', '12345678901234567.89'];
    t.strictSame(
      rows.map(({ n }) => n),
      values.map((a) => ({ a, t: 'NaN, "Infinity' })),
    );
    t.strictSame(
      rows.map(({ f }) => String(f)),
      values.map(String),
    );
    const odd = await readOf(kind, kind.begin + records.slice(0, 4).join('') + kind.end);
    const typeOf = (all: readonly Batch[]) => all.at(-1)?.columns.find((column) => column.name === 'f')?.type;
    t.strictSame([typeOf(odd.batches), typeOf(batches)], ['number', 'decimal']);
    const exact = kind.record(
      '{"id":9007199254740993,"d":"1.10","m":0.30000000000000004,"at":"2026-01-01T00:00:00Z"}',
    );
    const typed = await readOf(kind, kind.begin + exact + kind.end);
    t.match(typed.rows, [
      { id: '9007199254740993', d: '1.10', m: '0.30000000000000004', at: '2026-01-01T00:00:00Z' },
    ]);
    t.strictSame(
      typed.batches[0]?.columns.slice(0, 5).map(({ type }) => type),
      ['integer', 'number', 'decimal', 'decimal', 'timestamp'],
    );
  });

  t.test(
    `${name}: a record that is lost fails the read with its text, and no state is told after it`,
    async (t) => {
      const lost: Readonly<Record<string, string>> = {
        'cut off': kind.record('{"id":2}').slice(0, 40),
        'cut off early': '{"type":"REC',
        'with other keys first': '{"stream" : "s", "version": 1, "rec',
        'behind a text': `INFO:root:x${kind.record('{"id":2}')}`,
        'two in a line': kind.record('{"id":2}').trim() + kind.record('{"id":3}'),
        'with a text behind it': `${kind.record('{"id":2}').trim()} done\n`,
        'without a value': kind.record('{"id":}'),
        'of a word': kind.record('{"id":undefined}'),
        'without a body': '{"type":"RECORD","stream":"s"}\n',
        'whose body is none': kind.record('5'),
        'without a type': '{"stream":"s","record":{"stream":"s","data":{"id":2},"id":2}}\n',
        'of another stream': kind.record('{"id":2}', 'other'),
        'in another encoding': kind.record('{"id":2,"d":"\xfc"}'),
      };
      for (const [how, line] of Object.entries(lost)) {
        const end = line.endsWith('\n') ? '' : '\n';
        const { error, states } = await readOf(kind, kind.begin + good + line + end + kind.state + kind.end);
        t.match(
          error,
          /wrote a line that is no whole message.*: .*(?:REC|"rec)|before their SCHEMA|only "s" was asked for|not UTF-8/s,
          how,
        );
        t.strictSame(states, [], how);
      }
      const last = await readOf(kind, kind.begin + good + kind.state + kind.record('{"id":2}').slice(0, 30));
      t.match(last.error, /no whole message/, 'at the end');
    },
  );

  t.test(`${name}: other lines are a log`, async (t) => {
    const log: string[] = [];
    const noise =
      'starting\n{}\n{"level":"info","message":"{\\"type\\":"}\n[1]\n{\'type\': \'x\'}\n{unknown}\n\xfcber\n{"type":"SOMETHING"}\n';
    const told = (_level: string, message: string) => log.push(message);
    const { rows, error } = await readOf(kind, noise + kind.begin + good + kind.end, { log: told });
    t.strictSame([rows.length, error], [1, null]);
    t.ok(log.length >= 8);
  });
}

t.test('Airbyte: a record of a namespace that the stream does not have is refused', async (t) => {
  const record = airbyte.record('{"id":1}').replace('"stream":"s"', '"stream":"s","namespace":"n"');
  const { error, states } = await readOf(airbyte, airbyte.begin + record + airbyte.state + airbyte.end);
  t.equal(error, 'The source writes records of the stream "n.s", and only "s" was asked for');
  t.strictSame(states, []);
});

t.test('Singer: another stream that the tap has described is passed over', async (t) => {
  const other = singer.begin.replace('"stream":"s"', '"stream":"other"') + singer.record('{"id":7}', 'other');
  const { rows, error } = await readOf(singer, singer.begin + other + singer.record('{"id":1}'));
  t.strictSame([rows.map(({ id }) => id), error], [[1], null]);
});
