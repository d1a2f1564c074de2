import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { systemClock } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import { eachFigure, STEP_FIGURES } from '../../src/base/run-report.ts';
import { createRedactor, REDACTED } from '../../src/base/text/redactor.ts';
import { createRunPorts, redactedOutcome } from '../../src/executor/runner/run-ports.ts';
import type { RunSpec } from '../../src/protocol/control-plane.ts';
import { readableLine } from '../support/log-lines.ts';
import { connector, eventually, startBench } from './support/executor-bench.ts';

const PASSWORD = 'p"ss wörd/+&=\\17';
const TOKEN = 'tok-5f1e9c2ab7';
const KEY =
  '-----BEGIN KEY-----\nMIIEowIBAAKCAQEAu1SU1LfVLPHC\nozMxH2Mo4lgOEePzNm0tRgeLezV6\n-----END KEY-----';

/** Every form in which a secret may be shown. */
function formsOf(secret: string): string[] {
  const base64 = ['', 'x', 'xy'].map((before) => Buffer.from(before + secret).toString('base64'));
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    // Without the ends, which depend on what stands beside it.
    ...base64.map((text) => text.slice(4, -4)),
  ];
}

const FORMS = [PASSWORD, TOKEN, ...KEY.split('\n').slice(1, 3)].flatMap(formsOf);

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  const inner = value instanceof Map ? [...value.values()] : Object.values(value);
  return [...Object.keys(value), ...inner.flatMap(stringsIn)];
}

const leaksIn = (value: unknown): string[] =>
  stringsIn(value).filter((text) => FORMS.some((form) => text.includes(form)));

const TELLTALE: Partial<RunSpec> = {
  secrets: [PASSWORD, TOKEN, KEY],
  args: { password: PASSWORD, token: TOKEN, key: KEY },
  yaml: `
version: 1
name: telltale
connectors: { source: {type: dummy}, target: {type: dummy}, broken: {type: dummy} }
args: { password: {type: string}, token: {type: string}, key: {type: string} }
steps:
  - { id: plain, kind: log, message: "plain {{ args.password }} and {{ args.token }}" }
  - { id: escaped, kind: log, message: "json {{ $string({'a': args.password, 'b': [args.token]}) }}" }
  - { id: url, kind: log, message: "url https://app:{{ $encodeUrlComponent(args.password) }}@host/?t={{ args.token }}" }
  - { id: base, kind: log, message: "basic {{ $base64encode('app:' & args.token) }} {{ $base64encode(args.token) }}" }
  - { id: key, kind: log, message: "key {{ args.key }}" }
  - { id: long, kind: log, message: "{{ $join($map([1..6500], function($n) { 'abcde' })) & args.token }}" }
  - { id: read, kind: extract, connector: source, method: list }
  - { id: cast, kind: transform, input: read, ops: [ { cast: { id: integer } } ], on_error: { action: dead_letter } }
  - { id: write, kind: load, input: cast, connector: target, object: rows }
  - { id: sign_in, kind: call, connector: broken, method: echo, args: { value: 1 } }
`,
  connectors: {
    source: connector('dummy', {
      rows: [
        { id: '1', note: 'well' },
        { id: TOKEN, note: `https://x/?password=${encodeURIComponent(PASSWORD)}`, [TOKEN]: PASSWORD },
        { id: `${'x'.repeat(300_000)}${TOKEN}`, note: KEY },
      ],
    }),
    target: connector('dummy', {}),
    broken: connector('dummy', {
      fault: 'AUTH',
      message: `password ${PASSWORD} of postgres://app:${encodeURIComponent(PASSWORD)}@db:5432/crm was refused`,
    }),
  },
};

t.test('a secret that a task tells in any form reaches neither the wire nor a disk', async (t) => {
  const { plane, folder } = await startBench(t, {
    limits: { spoolMemoryBytesMax: 500, handOverMs: 300 },
    wire: { log_batch_bytes_max: 500 },
  });
  let shut = true;
  plane.before = (operation) => {
    if (shut && operation === 'appendLogs') throw new AppError('NOT_READY', 'not now');
  };
  const run = plane.enqueue(TELLTALE);
  const completion = await eventually('the completion', () => run.completion);
  const spooled = readdirSync(join(folder, 'spool'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  t.ok(spooled.includes(REDACTED), 'lines were on the disk');
  t.strictSame(leaksIn(spooled), []);
  shut = false;
  await eventually('the log is whole', () => run.lines.length === completion.last_log_seq);
  const told = { lines: run.lines, completion, letters: run.deadLetters, metrics: run.metrics };
  t.strictSame(leaksIn(told), []);
  const said = run.lines.filter(({ message }) => message.includes(REDACTED)).map(({ step_id }) => step_id);
  for (const step of ['plain', 'escaped', 'url', 'base', 'key']) t.ok(said.includes(step), step);
  t.match(completion.failure?.message, /password \*{8} of postgres:\/\/app:\*{8}@db:5432\/crm was refused/);
  t.match(completion.steps.find(({ step_id }) => step_id === 'sign_in')?.error, /\*{8}/);
  t.equal(run.deadLetters.length, 2);
  t.match(run.deadLetters[0]?.item, { id: REDACTED, [REDACTED]: REDACTED });
});

t.test('what the ports tell is redacted before it is cut', async (t) => {
  const told: unknown[] = [];
  const ports = createRunPorts(
    {
      log: (line) => void told.push(readableLine(line)),
      progress: () => undefined,
      metric: (metric) => void told.push(metric),
      ask: async (ask) => {
        if (ask.kind === 'dead_letters') told.push(ask.items);
        if (ask.kind === 'checkpoint') return { value: TOKEN, version: 1 };
        if (ask.kind === 'save_checkpoint') t.equal(ask.value, TOKEN, 'a cursor stays what it is');
        return undefined;
      },
    },
    { clock: systemClock, logLineBytesMax: 16_384, redactor: createRedactor([TOKEN]), keepsParts: false },
  );
  const circular: Record<string, unknown> = { token: TOKEN };
  circular['self'] = circular;
  ports.log('info', 'read', TOKEN, { deep: [{ [TOKEN]: TOKEN }], big: 5n, at: new Date(0) });
  ports.log('info', 'read', 'circular', circular);
  ports.metric({ name: 'rows', kind: 'counter', value: 1, tags: { table: `a${TOKEN}` }, at: 1 });
  await ports.deadLetters([
    { step_id: 's', item: `${'x'.repeat(32_000)}${TOKEN}${'y'.repeat(300_000)}`, code: 'X', message: TOKEN },
  ]);
  await ports.saveCheckpoint('c', (await ports.checkpoint('c')).value, 1);
  t.strictSame(leaksIn(told), []);
  t.match(told[0], {
    level: 'info',
    step_id: 'read',
    message: REDACTED,
    fields: { deep: [{ [REDACTED]: REDACTED }], big: '5' },
  });
  t.match(told[2], { tags: { table: `a${REDACTED}` } });
  t.match(told[3], [{ item: { cut: true, beginning: /x\*{8}y/ }, message: REDACTED }]);
  const outcome = redactedOutcome(
    {
      status: 'error',
      reason: 'task_error',
      failure: { code: 'X', message: `no ${TOKEN}`, step_id: 's' },
      rows_in: 0,
      rows_out: 0,
      rows_failed: 0,
      rows_skipped: 0,
      rows_filtered: 0,
      rows_deleted: 0,
      steps: [
        {
          ...eachFigure(STEP_FIGURES, () => 0),
          step_id: 'read',
          kind: 'extract',
          status: 'success',
          error: '',
          cursor: { from: null, to: `x${TOKEN}` },
          schema_changes: [],
        },
      ],
      args: { headers: [{ authorization: `Bearer ${TOKEN}` }], limit: 5 },
      outputs: { said: `x${TOKEN}` },
      retryable: false,
    },
    createRedactor([TOKEN]),
  );
  t.equal(outcome.failure?.message, `no ${REDACTED}`);
  t.same(outcome.steps[0]?.cursor, { from: null, to: `x${REDACTED}` });
  t.same(outcome.outputs, { said: `x${REDACTED}` });
  t.same(outcome.args, { headers: [{ authorization: `Bearer ${REDACTED}` }], limit: 5 });
});
