/**
 * A tap of the Singer specification for tests, which misbehaves as its configuration says: `mode`, and `rows` of the stream "people". Its
 * state has the last id that was read.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
const read = (name: string) => JSON.parse(readFileSync(args[args.indexOf(`--${name}`) + 1] ?? '', 'utf8'));
const say = (message: object) => console.log(JSON.stringify(message));

const optional = (type: string) => ({ type: ['null', type] });
const PEOPLE_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: optional('string'),
    big: optional('integer'),
    amount: { type: ['null', 'number'], multipleOf: 0.01 },
    born: { type: ['null', 'string'], format: 'date' },
    at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    more: optional('object'),
    hidden: optional('string'),
    odd: {},
  },
};
const about = (name: string, metadata: object) => ({ breadcrumb: ['properties', name], metadata });
const PEOPLE = {
  tap_stream_id: 'app-people',
  stream: 'people',
  schema: PEOPLE_SCHEMA,
  metadata: [
    { breadcrumb: [], metadata: { 'table-key-properties': ['id'], 'valid-replication-keys': ['id'] } },
    about('id', { inclusion: 'automatic' }),
    about('name', { inclusion: 'available', 'selected-by-default': true }),
    about('hidden', { inclusion: 'available', 'selected-by-default': false }),
    about('odd', { inclusion: 'unsupported' }),
  ],
};
const root = (metadata: object) => [{ breadcrumb: [], metadata }];
const WHOLE = {
  tap_stream_id: 'whole',
  stream: 'whole',
  schema: { properties: { id: { type: 'integer' } } },
  metadata: root({ 'forced-replication-method': 'FULL_TABLE' }),
};
const PLAIN = { tap_stream_id: 'plain', stream: 'plain', schema: { properties: { id: {} } } };

const saySchema = (stream: string, schema: object) =>
  say({ type: 'SCHEMA', stream, schema, key_properties: ['id'], bookmark_properties: ['id'] });

function recordOf(id: number, isSelected: (name: string) => boolean): string {
  const numbers = `"big":9007199254740993,"amount":${id === 1 ? '1234567890123456.78' : '12.50'}`;
  const values = {
    id,
    name: `name ${id}`,
    born: '2000-02-29',
    at: '2026-01-31T10:00:00+00:00',
    more: { amount: 1.5 },
    hidden: 'seen',
  };
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => isSelected(name)));
  return JSON.stringify(kept).replace('{', `{${numbers},`);
}

interface Config {
  readonly mode: string;
  readonly rows: number;
  readonly token?: string;
}

function sync({ mode, rows, token }: Config): void {
  const [chosen] = mode === 'none' ? [PEOPLE] : selectedStreams(mode === 'old' ? 'properties' : 'catalog');
  const from = args.includes('--state') ? read('state').bookmarks.people.id : 0;
  const { metadata } = chosen;
  const [{ metadata: how }] = metadata;
  console.error(
    `time=2026-01-31 10:00:00 name=tap level=WARNING message=${describe(how)} from ${from}, ${token}`,
  );
  console.log('this line is no message');
  const isSelected = (name: string) => isColumnSelected(chosen, name, mode);
  if (mode !== 'record-first') saySchema('people', PEOPLE_SCHEMA);
  say({ type: 'ACTIVATE_VERSION', stream: 'people', version: 1 });
  for (let id = from + 1; id <= rows; id++) {
    if (mode === 'new-schema' && id === 3) sayOtherSchema();
    if (mode === 'new-schema' && id >= 3)
      say({ type: 'RECORD', stream: 'people', record: { id: `${id}`, tag: 't' } });
    else console.log(`{"type":"RECORD","stream":"people","record":${recordOf(id, isSelected)},"version":1}`);
    if (id % 2 === 0) say({ type: 'STATE', value: { bookmarks: { people: { id } } } });
  }
  if (mode === 'crash') {
    console.error(`Traceback (most recent call last):\nValueError: it broke with ${token}`);
    process.exitCode = 3;
  }
}

function selectedStreams(argument: string) {
  if (!args.includes(`--${argument}`)) {
    console.error(
      `usage: tap\ntap: error: unrecognized arguments: --${argument === 'catalog' ? 'properties' : 'catalog'}`,
    );
    process.exit(2);
  }
  return read(argument).streams.filter(
    (stream: { metadata: { metadata: { selected?: boolean } }[] }) => stream.metadata[0]?.metadata.selected,
  );
}

function describe(how: Record<string, unknown>): string {
  return `${how['replication-method'] ?? 'all'} by ${how['replication-key'] ?? 'nothing'}`;
}

function isColumnSelected(stream: typeof PEOPLE, name: string, mode: string): boolean {
  if (mode === 'none') return true;
  if (mode === 'old')
    return (stream.schema.properties as Record<string, { selected?: boolean }>)[name]?.selected === true;
  const found = stream.metadata.find(({ breadcrumb }) => breadcrumb[1] === name);
  return (found?.metadata as { selected?: boolean } | undefined)?.selected === true;
}

function sayOtherSchema(): void {
  const { name, amount } = PEOPLE_SCHEMA.properties;
  saySchema('people', { properties: { id: { type: 'string' }, name, amount, tag: optional('string') } });
}

/** True where it has done what the mode says, in place of reading. */
function misbehave(mode: string): boolean {
  switch (mode) {
    case 'hang':
      saySchema('people', PEOPLE_SCHEMA);
      hang();
      return true;
    case 'long-line':
      process.stdout.write('x'.repeat(100 * 1_048_576));
      return true;
    case 'garbage':
      console.log(
        '\u0000\u0001 not JSON\n{"type":"RECORD"\n[]\n{"type":7}\n{"type":"HELLO","stream":"people"}',
      );
      return true;
    case 'nothing':
      return true;
    case 'other':
      saySchema('others', {});
      say({ type: 'RECORD', stream: 'others', record: {} });
      return true;
    case 'batch':
      say({ type: 'BATCH', stream: 'people', manifest: [] });
      return true;
    default:
      return false;
  }
}

function hang(): void {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)'], { stdio: 'ignore' });
  say({ type: 'RECORD', stream: 'people', record: { id: process.pid, big: child.pid } });
  setInterval(() => undefined, 1_000);
}

function discover({ mode, token }: Config): void {
  if (mode === 'refused') {
    console.error(`CRITICAL bad token ${token}`);
    process.exit(1);
  }
  if (mode === 'no-catalogue') console.log('Hello');
  else console.log(`Found 3 streams\n${JSON.stringify({ streams: [PEOPLE, WHOLE, PLAIN] }, null, 2)}`);
}

const config: Config = read('config');
if (args.includes('--discover')) discover(config);
else if (!misbehave(config.mode)) sync(config);
