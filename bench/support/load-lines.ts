import { LOG_LEVELS, type LogLevel } from '../../src/base/run-report.ts';
import type { LogLine } from '../../src/protocol/control-plane.ts';
import { mixedSeed, seededRandom } from './seeded-random.ts';

type Fields = Readonly<Record<string, unknown>> | null;
type Template = readonly [
  weight: number,
  level: LogLevel,
  step: string,
  message: (n: Numbers) => string,
  fields?: (n: Numbers) => Fields,
];

/** Whole numbers from 0 up to `max`. */
type Numbers = (max: number) => number;

const NAMES = ['Ada Lovelace', 'Zoë Müller', 'Łukasz Żak', '山田太郎', 'Amélie d’Arc', 'Noor الحسن'];
const TABLES = ['contacts', 'orders', 'order_items', 'invoices', 'inventory_movements', 'web_events'];
const pick = <T>(n: Numbers, items: readonly T[]): T => items[n(items.length)] as T;
const STACK = Array.from(
  { length: 28 },
  (_, index) =>
    `    at Batch.write (node:internal/pipeline/batch-${index}:${100 + index * 7}:${index % 40})\n`,
).join('');

/** What pipelines write, in about the mix in which they write it: mostly short, now and then a row, a statement, a stack. */
const CORPUS: readonly Template[] = [
  [30, 'info', 'write', (n) => `wrote batch ${n(9_000)} of ${pick(n, TABLES)}: 1000 rows in ${4 + n(60)} ms`],
  [14, 'debug', 'read', (n) => `page ${n(500)} cursor=eyJpZCI6${n(1_000_000)}fQ== rows=${n(1_000)}`],
  [
    10,
    'info',
    'read',
    (n) => `GET /v2/${pick(n, TABLES)}?updated_after=2026-01-${10 + n(18)}T00:00:00Z 200`,
    (n) => ({ status: 200, duration_ms: n(900), bytes: n(200_000), retry: false }),
  ],
  [
    8,
    'warn',
    'shape',
    (n) => `row ${n(1_000_000)}: "amount" is not a number: "${n(90)},${n(99)} €"`,
    (n) => ({ row: { id: n(1_000_000), name: pick(n, NAMES), tags: ['új', 'b2b', null] }, code: 'CAST' }),
  ],
  [6, 'info', '', (n) => `progress: ${n(100)} % (${n(3_000_000)} of 3000000 rows)`],
  [5, 'debug', 'shape', (n) => `mapped ${pick(n, NAMES)} <${n(10_000)}@example.com>`],
  [
    5,
    'debug',
    'write',
    (n) =>
      `INSERT INTO "${pick(n, TABLES)}" (${Array.from({ length: 10 + n(30) }, (_, i) => `"column_${i}"`).join(', ')}) VALUES ($1)`,
  ],
  [
    3,
    'error',
    'write',
    (n) => `deadlock detected, attempt ${1 + n(4)} of 5; retrying in ${100 * (1 + n(20))} ms`,
    (n) => ({ code: '40P01', relation: pick(n, TABLES), pid: n(60_000) }),
  ],
  [1, 'error', 'write', (n) => `TypeError: Cannot read properties of null (reading 'id${n(90)}')\n${STACK}`],
  [
    1,
    'warn',
    'read',
    (n) => `\u001b[33m429 Too Many Requests\u001b[0m, waiting ${n(30)} s\tretry-after: ${n(30)}`,
  ],
];
const WEIGHTS = CORPUS.reduce((sum, [weight]) => sum + weight, 0);
const AT = 1_760_000_000_000;
const SECRET_EVERY = 61;

/**
 * The line that the load writes at this place: always the same of the same seed, so that whoever checks needs no copy of it.
 * `secret` is in some of them, in the forms in which secrets get into logs.
 */
export function loadLine(
  seed: number,
  runId: number,
  attempt: number,
  seq: number,
  secret: string | null,
): LogLine {
  const random = seededRandom(mixedSeed(seed, runId, attempt, seq));
  const n: Numbers = (max) => Math.floor(random() * max);
  let left = n(WEIGHTS);
  const [, level, step_id, message, fields] =
    CORPUS.find(([weight]) => {
      left -= weight;
      return left < 0;
    }) ?? (CORPUS[0] as Template);
  const at = AT + seq * 3 + n(3);
  const said = message(n);
  const made = fields?.(n) ?? null;
  const fields_json = made === null ? '' : JSON.stringify(made);
  const line = { at, level: LOG_LEVELS[level], step_id, message: said, fields_json };
  return secret === null || seq % SECRET_EVERY !== 0 ? line : withSecret(line, secret, seq);
}

function withSecret(line: LogLine, secret: string, seq: number): LogLine {
  const forms = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(`user:${secret}`).toString('base64'),
    JSON.stringify({ password: secret }),
  ];
  const form = forms[(seq / SECRET_EVERY) % forms.length] ?? secret;
  return {
    ...line,
    message: `connecting with ${form}`,
    fields_json: JSON.stringify({ dsn: `postgres://app:${form}@db/app` }),
  };
}
