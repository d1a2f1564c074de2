import fc from 'fast-check';
import protobuf from 'protobufjs';
import t from 'tap';
import { AppError } from '../../../../src/base/errors.ts';
import type { LogBatch } from '../../../../src/protocol/control-plane.ts';
import { PROTO_PATH } from '../../../../src/protocol/wire/definition/proto-path.ts';
import { decodeAnyProtobuf, encodeLogBatch } from '../../../../src/protocol/wire/log/log-frame.ts';
import { readPlainLogBatch } from '../../../../src/protocol/wire/log/log-frame-reader.ts';
import { fewOrMany } from '../../../support/fault-list.ts';

const logBatchType = new protobuf.Root()
  .loadSync(PROTO_PATH, { keepCase: true })
  .lookupType('headgate.executor.v1.LogBatch');

const seconds = 4;
const int64 = fc.oneof(fc.nat(200), fc.maxSafeNat(), fc.constantFrom(0, 1, 127, 128, 2 ** 32, 2 ** 53 - 1));
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 300 }).map((s) => s.toWellFormed()),
  fc.constantFrom('', 'write', 'nul\0', '\ufeffbom', 'ä', '\ufffd', '😀'),
);
const fieldsJson = fc.oneof(
  fc.constantFrom('', '{}', 'null', '[]', '{', '1', ' {"a":1} '),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify({ value })),
);
const raw = fc.record({
  lease: fc.option(fc.record({ run_id: int64, attempt: fc.nat(2 ** 31 - 1), epoch: int64, token: text }), {
    nil: undefined,
  }),
  first_seq: int64,
  lines: fc.array(
    fc.record({
      at: int64,
      level: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.nat(9)),
      step_id: text,
      message: text,
      fields_json: fieldsJson,
    }),
    { maxLength: 6 },
  ),
});
const frames = raw.map((value) => Buffer.from(logBatchType.encode(value).finish()));

/** Bytes cut, changed, doubled, or put in. */
const damaged = fc
  .tuple(frames, fc.nat(2_000), fc.nat(255), fc.constantFrom('set', 'cut', 'insert', 'repeat'))
  .map(([frame, place, byte, how]) => {
    const at = frame.length === 0 ? 0 : place % frame.length;
    if (how === 'cut') return frame.subarray(0, at);
    if (how === 'insert') return Buffer.concat([frame.subarray(0, at), Buffer.of(byte), frame.subarray(at)]);
    if (how === 'repeat') return Buffer.concat([frame, frame.subarray(at)]);
    const changed = Buffer.from(frame);
    if (changed.length > 0) changed[at] = byte;
    return changed;
  });

/** The batch, or the error's message. */
function outcome(decode: () => LogBatch): unknown {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** What the general decoder and the checks of every frame make of it. */
function general(bytes: Uint8Array): LogBatch {
  const batch = decodeAnyProtobuf(bytes);
  if (batch.lines.length === 0)
    throw new AppError('VALIDATION_ERROR', '"lines" is empty; a log batch has at least one line');
  return batch;
}

t.test(
  'the plain reader gives exactly what the general decoder gives, or leaves the frame to it',
  async (t) => {
    let plain = 0;
    fc.assert(
      fc.property(fc.oneof(frames, damaged), (bytes) => {
        const read = readPlainLogBatch(bytes);
        if (read === null) return;
        plain += 1;
        t.strictSame(
          read,
          outcome(() => general(bytes)),
        );
      }),
      { numRuns: fewOrMany(4_000, 20_000), interruptAfterTimeLimit: seconds * 1_000 },
    );
    t.ok(plain > 100, `${plain} frames were plain`);
  },
);

t.test('whatever an encoder writes is plain', async (t) => {
  const batch: LogBatch = {
    lease: { run_id: 7, attempt: 2, epoch: 2 ** 40, token: 'tökén' },
    first_seq: 2 ** 52,
    lines: [
      { at: 1, level: 1, step_id: '', message: '', fields_json: '' },
      { at: 2, level: 2, step_id: 'one', message: 'x'.repeat(20_000), fields_json: '{"a":["ä"]}' },
      { at: 3, level: 3, step_id: 'one', message: 'a\0b', fields_json: '{}' },
      { at: 4, level: 4, step_id: 'onf', message: '😀', fields_json: '' },
    ],
  };
  t.strictSame(readPlainLogBatch(encodeLogBatch(batch)), batch);
});
