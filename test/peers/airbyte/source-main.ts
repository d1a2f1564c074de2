/**
 * A source of the Airbyte protocol for tests, which misbehaves as its configuration says: `mode`, and `rows` of the stream "people". A
 * state is the last id that was read.
 */
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const [command = '', ...rest] = process.argv.slice(2);
const fileOf = (name: string) => rest[rest.indexOf(`--${name}`) + 1] ?? '';
const read = (name: string) => JSON.parse(readFileSync(fileOf(name), 'utf8'));
const say = (type: string, key: string, body: object) => console.log(JSON.stringify({ type, [key]: body }));
const trace = (body: object) => say('TRACE', 'trace', body);
const status = (told: string) =>
  trace({ type: 'STREAM_STATUS', stream_status: { stream_descriptor: { name: 'people' }, status: told } });

const SPEC = {
  connectionSpecification: {
    type: 'object',
    properties: {
      mode: { type: 'string' },
      rows: { type: 'integer' },
      token: { type: 'string', airbyte_secret: true },
      auth: {
        oneOf: [
          { properties: { kind: { const: 'none' } } },
          { properties: { kind: { const: 'password' }, password: { type: 'string', airbyte_secret: true } } },
        ],
      },
    },
  },
};

const PEOPLE = {
  name: 'people',
  json_schema: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      name: { type: ['null', 'string'] },
      big: { type: 'integer' },
      amount: { type: 'string', airbyte_type: 'big_number' },
      born: { type: 'string', format: 'date' },
      at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      more: { type: 'object' },
    },
  },
  supported_sync_modes: ['full_refresh', 'incremental'],
  source_defined_cursor: true,
  default_cursor_field: ['id'],
  source_defined_primary_key: [['id']],
};
const EVENTS = { name: 'events', namespace: 'app', json_schema: {}, supported_sync_modes: ['full_refresh'] };

function row(id: number): string {
  const values = { id, name: `name ${id}`, amount: '1.50', born: '2000-02-29', at: null, more: { a: [id] } };
  return JSON.stringify(values).replace('{', '{"big":9007199254740993,');
}

function readPeople(config: { mode: string; rows: number; token?: string }): void {
  const { mode, rows } = config;
  const [catalog] = read('catalog').streams;
  const saved = rest.includes('--state') ? read('state') : [];
  const state = saved[0] ?? {};
  const from = (state.stream?.stream_state ?? state.global?.shared_state)?.last ?? 0;
  say('LOG', 'log', {
    level: 'WARN',
    message: `${catalog.sync_mode} from ${from} with ${config.token ?? 'no token'}`,
  });
  console.log('this line is no message');
  if (mode === 'error' || mode === 'transient') {
    const failure_type = mode === 'error' ? 'config_error' : 'transient_error';
    const internal = {
      internal_message: `timed out with ${config.token}`,
      stack_trace: 'File "a.py", line 1',
    };
    const error = { message: `refused ${config.token}`, failure_type };
    trace({ type: 'ERROR', error: mode === 'transient' ? { ...error, ...internal } : error });
    process.exitCode = 1;
    return;
  }
  if (mode !== 'silent-status') status('STARTED');
  for (let id = from + 1; id <= rows; id++) {
    console.log(`{"type":"RECORD","record":{"stream":"people","data":${row(id)},"emitted_at":1}}`);
    if (id % 2 === 0 && catalog.sync_mode === 'incremental') sayState(mode, id);
  }
  if (mode === 'incomplete') status('INCOMPLETE');
  else if (mode === 'crash') {
    console.error('Traceback\nValueError: it broke\n\tIs the server running?');
    process.exitCode = 3;
  } else if (mode !== 'silent-status' && mode !== 'unfinished') status('COMPLETE');
}

function sayState(mode: string, last: number): void {
  if (mode === 'global') {
    const stream_states = [{ stream_descriptor: { name: 'people' }, stream_state: {} }];
    say('STATE', 'state', { type: 'GLOBAL', global: { shared_state: { last }, stream_states } });
    return;
  }
  const stream = { stream_descriptor: { name: 'people' }, stream_state: { last } };
  say('STATE', 'state', { type: 'STREAM', stream, data: { last } });
}

/** A record that shows where the process runs. */
function readEvents(): void {
  const file = fileOf('config');
  const data = {
    env: Object.keys(process.env).sort(),
    cwd: process.cwd(),
    folder: dirname(file),
    modes: [file, dirname(file)].map((path) => (statSync(path).mode & 0o777).toString(8)),
  };
  say('RECORD', 'record', { stream: 'events', namespace: 'app', data });
}

function misbehave(mode: string): boolean {
  switch (mode) {
    case 'hang': {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)'], { stdio: 'ignore' });
      say('RECORD', 'record', { stream: 'people', data: { id: process.pid, big: child.pid } });
      setInterval(() => undefined, 1_000);
      return true;
    }
    case 'long-line':
      process.stdout.write('x'.repeat(100 * 1_048_576));
      return true;
    case 'garbage':
      console.log('\u0000\u0001 not JSON\n{"type":"RECORD"\n[]\n{"type":7}\n{"type":"RECORD","record":3}');
      return true;
    case 'nothing':
      return true;
    case 'memory': {
      const held: Buffer[] = [];
      setInterval(() => held.push(Buffer.alloc(16 * 1_048_576, 1)), 1);
      return true;
    }
    default:
      return false;
  }
}

if (command === 'spec') say('SPEC', 'spec', SPEC);
else {
  const config = read('config');
  if (command === 'check') {
    const isGood = config.mode !== 'refused';
    const answer = isGood
      ? { status: 'SUCCEEDED' }
      : { status: 'FAILED', message: `bad token ${config.token}` };
    say('CONNECTION_STATUS', 'connectionStatus', answer);
  } else if (command === 'discover') say('CATALOG', 'catalog', { streams: [PEOPLE, EVENTS] });
  else if (read('catalog').streams[0].stream.name === 'events') readEvents();
  else if (!misbehave(config.mode)) readPeople(config);
}
