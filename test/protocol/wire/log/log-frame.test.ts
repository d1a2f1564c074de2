import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import t from 'tap';
import { AppError } from '../../../../src/base/errors.ts';
import { logLevelName } from '../../../../src/base/run-report.ts';
import type { LogBatch } from '../../../../src/protocol/control-plane.ts';
import { RPCS } from '../../../../src/protocol/wire/definition/service-definition.ts';
import { decodeLogFrame, encodeLogBatch } from '../../../../src/protocol/wire/log/log-frame.ts';
import { readableLine } from '../../../support/log-lines.ts';

const positive = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const fields = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true });
const line = fc.record({
  at: fc.maxSafeNat(),
  level: fc.integer({ min: 1, max: 4 }),
  step_id: text,
  message: text,
  fields_json: fc.option(fields).map((value) => (value === null ? '' : JSON.stringify(value))),
});
const batches: fc.Arbitrary<LogBatch> = fc.record({
  lease: fc.record({ run_id: positive, attempt: positive, epoch: fc.nat(), token: text }),
  first_seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 100 }),
  lines: fc.array(line, { minLength: 1, maxLength: 20 }),
});
/** JSON has no -0. */
const plain = (batch: LogBatch): LogBatch => JSON.parse(JSON.stringify(batch));
const jsonFrame = (value: unknown) => ({
  encoding: 'json' as const,
  bytes: Buffer.from(JSON.stringify(value)),
});

const good = {
  lease: { run_id: 1, attempt: 1, epoch: 0, token: 't' },
  first_seq: 1,
  lines: [{ at: 5, level: 'info', message: 'm' }],
};

t.test('what is encoded is decoded, in both encodings', async (t) => {
  fc.assert(
    fc.property(batches.map(plain), (batch) => {
      const bytes = encodeLogBatch(batch);
      t.strictSame(decodeLogFrame({ encoding: 'protobuf', bytes }), batch);
      const readable = { ...batch, lines: batch.lines.map(readableLine) };
      t.strictSame(decodeLogFrame(jsonFrame(readable)), batch);
    }),
    { numRuns: 100 },
  );
});

t.test('the codec and the service definition agree on the bytes', async (t) => {
  const sample = fc.sample(batches.map(plain), 20);
  for (const batch of sample) {
    const lines = batch.lines.map(({ level, ...rest }) => ({
      ...rest,
      level: logLevelName(level).toUpperCase(),
    }));
    const bytes = RPCS.AppendLogs.requestSerialize({ ...batch, lines });
    t.strictSame(decodeLogFrame({ encoding: 'protobuf', bytes }), batch);
  }
});

t.test('any bytes are a batch or a validation error', async (t) => {
  const valid = Buffer.from(encodeLogBatch(fc.sample(batches.map(plain), 1)[0] as LogBatch));
  const mutated = fc.tuple(fc.nat(valid.length - 1), fc.nat(255)).map(([at, byte]) => {
    const copy = Buffer.from(valid);
    copy[at] = byte;
    return copy;
  });
  const any = fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated);
  fc.assert(
    fc.property(any, fc.constantFrom('protobuf' as const, 'json' as const), (bytes, encoding) => {
      try {
        decodeLogFrame({ encoding, bytes });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
      }
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});

t.test('text that is not well-formed is sent as U+FFFD', async (t) => {
  const line = { at: 1, level: 2, step_id: '\udc00', message: 'half \ud800', fields_json: '' };
  const lease = { run_id: 1, attempt: 1, epoch: 1, token: 't' };
  const bytes = encodeLogBatch({ lease, first_seq: 1, lines: [line] });
  t.match(decodeLogFrame({ encoding: 'protobuf', bytes }).lines, [
    { step_id: '\ufffd', message: 'half \ufffd' },
  ]);
});

t.test('whatever an encoder may write comes as it was', async (t) => {
  const batch: LogBatch = {
    lease: { run_id: 7, attempt: 2, epoch: 2 ** 40, token: 'tökén' },
    first_seq: 2 ** 52,
    lines: [
      { at: 1, level: 1, step_id: '', message: '', fields_json: '' },
      { at: 2, level: 2, step_id: 'one', message: 'x'.repeat(20_000), fields_json: '{"a":["ä"]}' },
      { at: 3, level: 3, step_id: 'one', message: 'a\0b', fields_json: '{ "b": 1 }' },
      { at: 4, level: 4, step_id: 'onf', message: '😀', fields_json: '{}' },
    ],
  };
  t.strictSame(decodeLogFrame({ encoding: 'protobuf', bytes: encodeLogBatch(batch) }), batch);
});

t.test('fields are kept on one line, so that an event stream can carry them as they are', async (t) => {
  const line = { at: 1, level: 2, step_id: '', message: 'm' };
  const lines = ['{\n"a": 1\r\n}', 'null'].map((fields_json) => ({ ...line, fields_json }));
  const bytes = encodeLogBatch({ lease: good.lease, first_seq: 1, lines });
  const read = decodeLogFrame({ encoding: 'protobuf', bytes }).lines;
  t.strictSame(
    read.map(({ fields_json }) => fields_json),
    ['{"a":1}', '{}'],
  );
});

t.test('a frame whose lease names another run than its path is refused', async (t) => {
  const frame = jsonFrame(good);
  t.equal(decodeLogFrame({ ...frame, run_id: 1 }).lease.run_id, 1);
  t.throws(() => decodeLogFrame({ ...frame, run_id: 2 }), {
    code: 'VALIDATION_ERROR',
    message: /"lease.run_id" is "1", and the path names run "2"/,
  });
});

t.test('JSON may leave out step and fields, and say the time as text', async (t) => {
  const lines = [{ ts: '2026-01-02T03:04:05.678Z', level: 'warn', message: 'm' }];
  t.strictSame(decodeLogFrame(jsonFrame({ ...good, lines })).lines, [
    { at: Date.UTC(2026, 0, 2, 3, 4, 5, 678), level: 3, step_id: '', message: 'm', fields_json: '' },
  ]);
  const numeric = [{ ts: 7, level: 'warn', message: 'm' }];
  t.equal(decodeLogFrame(jsonFrame({ ...good, lines: numeric })).lines[0]?.at, 7);
});

const line0 = good.lines[0];
const malformed: Record<string, unknown> = {
  'no object': [],
  'no lease': { ...good, lease: undefined },
  'a lease without a token': { ...good, lease: { run_id: 1, attempt: 1, epoch: 0 } },
  'a run of zero': { ...good, lease: { ...good.lease, run_id: 0 } },
  'a run as text': { ...good, lease: { ...good.lease, run_id: '1' } },
  'a sequence of zero': { ...good, first_seq: 0 },
  'a fractional sequence': { ...good, first_seq: 1.5 },
  'a sequence beyond 2^53': { ...good, first_seq: Number.MAX_SAFE_INTEGER },
  'no lines': { ...good, lines: [] },
  'lines that are no array': { ...good, lines: {} },
  'a line that is no object': { ...good, lines: ['text'] },
  'a level that no text can be made of': { ...good, lines: [{ ...line0, level: { toString: 1 } }] },
  'a time that no text can be made of': { ...good, lines: [{ ...line0, at: { toString: 1 } }] },
  'a sequence number that no text can be made of': { ...good, first_seq: { toString: 1, valueOf: 1 } },
  'an unknown key': { ...good, more: 1 },
  'an unknown key of a line': { ...good, lines: [{ ...line0, more: 1 }] },
  'an unknown key of the lease': { ...good, lease: { ...good.lease, more: 1 } },
  'an unknown level': { ...good, lines: [{ ...line0, level: 'trace' }] },
  'no time': { ...good, lines: [{ level: 'info', message: 'm' }] },
  'a time that is none': { ...good, lines: [{ ts: 'yesterday', level: 'info', message: 'm' }] },
  'a time before 1970': { ...good, lines: [{ ...line0, at: -1 }] },
  'a message that is no text': { ...good, lines: [{ ...line0, message: 1 }] },
  'fields that are no object': { ...good, lines: [{ ...line0, fields: [1] }] },
};

for (const [what, value] of Object.entries(malformed)) {
  t.test(`JSON with ${what} is refused`, async (t) => {
    t.throws(() => decodeLogFrame(jsonFrame(value)), { code: 'VALIDATION_ERROR' });
  });
}

t.test('protobuf with fields that are no JSON object, or no level, is refused', async (t) => {
  for (const extra of [{ fields_json: '{' }, { fields_json: '[1]' }, { level: 'LOG_LEVEL_UNSPECIFIED' }]) {
    const lines = [{ at: 1, level: 'INFO', message: 'm', ...extra }];
    const bytes = RPCS.AppendLogs.requestSerialize({ ...good, lines });
    t.throws(() => decodeLogFrame({ encoding: 'protobuf', bytes }), { code: 'VALIDATION_ERROR' });
  }
  const noLease = RPCS.AppendLogs.requestSerialize({ first_seq: 1, lines: [] });
  t.throws(() => decodeLogFrame({ encoding: 'protobuf', bytes: noLease }), { code: 'VALIDATION_ERROR' });
});

t.test('a thread loads the codec without gRPC', async (t) => {
  const url = new URL('../../../../src/protocol/wire/log/log-frame.ts', import.meta.url);
  const script = `
    import { registerHooks } from 'node:module';
    import { parentPort } from 'node:worker_threads';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const { decodeLogFrame } = await import(${JSON.stringify(url.href)});
    parentPort.once('message', (bytes) => {
      parentPort.postMessage({ batch: decodeLogFrame({ encoding: 'protobuf', bytes }), loaded });
    });`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  const answer = new Promise<{ batch: LogBatch; loaded: string[] }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const batch = fc.sample(batches.map(plain), 1)[0] as LogBatch;
  worker.postMessage(encodeLogBatch(batch));
  const { batch: decoded, loaded } = await answer;
  await worker.terminate();
  t.strictSame(decoded, batch);
  t.ok(loaded.some((path) => path.includes('protobufjs')));
  t.notOk(loaded.some((path) => path.includes('@grpc')));
});
