import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { LOG_LEVELS, type LogLevel } from '../../../src/base/run-report.ts';
import { logLineOf } from '../../../src/executor/log/log-line.ts';
import { LogSpool } from '../../../src/executor/log/log-spool.ts';
import type { LogLine } from '../../../src/protocol/control-plane.ts';
import { eventually, startBench } from '../support/executor-bench.ts';

function line(message: string, level: LogLevel = 'info'): LogLine {
  return { at: 1, level: LOG_LEVELS[level], step_id: 'read', message, fields_json: '' };
}

function fieldsOf(told: LogLine | undefined): Record<string, unknown> {
  return JSON.parse(told?.fields_json || '{}');
}

function openSpool(
  folder: string,
  limits: Partial<ConstructorParameters<typeof LogSpool>[0]> = {},
): LogSpool {
  return new LogSpool({
    path: join(folder, 'log'),
    bytesMax: 1_000_000,
    memoryBytesMax: 500,
    clock: systemClock,
    ...limits,
  });
}

t.test(
  'whatever the order of appends, reads and acknowledgements, every line comes once and in order',
  (t) => {
    const folder = t.testdir();
    const step = fc.oneof(
      fc.record({ append: fc.integer({ min: 1, max: 30 }), length: fc.integer({ min: 0, max: 120 }) }),
      fc.record({ take: fc.integer({ min: 1, max: 10 }), of: fc.integer({ min: 0, max: 10 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const spool = openSpool(folder);
        const given: string[] = [];
        const got: string[] = [];
        const take = (linesMax: number, acked: number) => {
          const batch = spool.peek(linesMax, 700);
          if (batch === null) return false;
          if (batch.firstSeq !== got.length + 1 || batch.lines.length > linesMax)
            throw new Error('wrong batch');
          // What is not acknowledged comes again.
          const kept = batch.lines.slice(0, acked);
          got.push(...kept.map(({ message }) => message));
          spool.acknowledge(batch.firstSeq - 1 + kept.length);
          return true;
        };
        for (const action of steps) {
          if ('take' in action) take(action.take, action.of);
          else {
            const messages = Array.from(
              { length: action.append },
              (_, n) => `${given.length + n} ünï ${'x'.repeat(action.length)}`,
            );
            given.push(...messages);
            spool.append(messages.map((message) => line(message)));
          }
        }
        while (take(7, 7));
        t.equal(spool.lastSeq, given.length);
        spool.close();
        return JSON.stringify(got) === JSON.stringify(given) && readdirSync(folder).length === 0;
      }),
      { numRuns: 100 },
    );
    t.end();
  },
);

t.test('a full spool drops debug first and says how much, at a real seq', (t) => {
  const spool = openSpool(t.testdir(), { bytesMax: 10_000 });
  const flood = (count: number, level: LogLevel) =>
    spool.append(Array.from({ length: count }, (_, n) => line(`${level} ${n} ${'x'.repeat(50)}`, level)));
  flood(200, 'debug');
  const afterDebug = spool.lastSeq;
  flood(5, 'info');
  t.equal(spool.lastSeq, afterDebug + 5, 'info lines still fit');
  flood(200, 'info');
  const afterInfo = spool.lastSeq;
  flood(2, 'error');
  t.equal(spool.lastSeq, afterInfo + 2, 'errors still fit');
  flood(200, 'error');
  const kept = spool.lastSeq;
  spool.end();
  t.equal(spool.lastSeq, kept + 1);
  const lines: LogLine[] = [];
  for (let batch = spool.peek(100, 5_000); batch !== null; batch = spool.peek(100, 5_000)) {
    lines.push(...batch.lines);
    spool.acknowledge(lines.length);
  }
  const marker = lines.at(-1);
  t.match(marker?.message, /^dropped \d+ lines/);
  t.equal(Number(fieldsOf(marker)['dropped']) + lines.length - 1, 607, 'every line is there or counted');
  t.ok(Number(fieldsOf(marker)['debug']) > 0);
  spool.close();
  t.end();
});

t.test('what waits on disk is read by its owner alone', (t) => {
  const folder = t.testdir();
  const spool = openSpool(folder);
  spool.append(Array.from({ length: 20 }, (_, n) => line(`line ${n} ${'x'.repeat(50)}`)));
  t.same(
    readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777),
    [0o600],
  );
  spool.close();
  t.end();
});

t.test('the marker stands where lines are missing, and long lines are cut', (t) => {
  const spool = openSpool(t.testdir(), { bytesMax: 2_000 });
  for (let n = 0; n < 50; n += 1) spool.append([line(`line ${n}`, 'debug')]);
  const held = spool.lastSeq;
  spool.acknowledge(spool.peek(1_000, 1_000_000)?.lines.length ?? 0);
  spool.acknowledge(held);
  const said = { at: 1, level: 'info', stepId: 'read' } as const;
  spool.append([logLineOf({ ...said, message: 'ä'.repeat(5_000) }, 1_000)]);
  const batch = spool.peek(10, 100_000);
  t.match(batch?.lines[0]?.message, /^dropped \d+ lines/);
  t.match(batch?.lines[1]?.message, /^ä+… \(cut: 10000 bytes\)$/);
  t.ok(Buffer.byteLength(JSON.stringify(batch?.lines[1])) <= 1_000);
  const fields = { text: 'x'.repeat(9_000), big: 5n };
  spool.append([logLineOf({ ...said, message: 'm', fields }, 1_000)]);
  t.match(fieldsOf(spool.peek(10, 100_000)?.lines[2]), { cut: true });
  spool.close();
  t.end();
});

t.test('a disk that takes nothing counts as a full spool', (t) => {
  const spool = openSpool(join(t.testdir(), 'absent'));
  spool.append(Array.from({ length: 100 }, (_, n) => line(`line ${n} ${'x'.repeat(50)}`)));
  const kept = spool.lastSeq;
  t.ok(kept > 0 && kept < 20);
  spool.acknowledge(kept);
  spool.end();
  t.equal(spool.lastSeq, kept + 1);
  t.equal(fieldsOf(spool.peek(10, 10_000)?.lines[0])['dropped'], 100 - kept);
  spool.close();
  t.end();
});

t.test('a run whose log cannot be sent goes on, and its log is dense once it can', async (t) => {
  const { plane, executor, folder } = await startBench(t, {
    limits: { spoolBytesMax: 60_000, spoolMemoryBytesMax: 5_000, handOverMs: 100 },
  });
  let shut = true;
  plane.before = (operation) => {
    if (shut && operation === 'appendLogs') throw new AppError('NOT_READY', 'not now');
  };
  const steps = Array.from(
    { length: 190 },
    (_, n) =>
      `  - { id: s${n}, kind: log, level: ${n % 3 === 0 ? 'warn' : 'debug'}, message: "n${n} ${'y'.repeat(400)}" }`,
  );
  const run = plane.enqueue({ yaml: `version: 1\nname: chatty\nsteps:\n${steps.join('\n')}\n` });
  await eventually('the completion', () => run.completion);
  t.match(run.completion, { status: 'success' });
  t.equal(run.lines.length, 0);
  shut = false;
  await eventually('the log is whole', () => run.lines.length === run.completion?.last_log_seq);
  await eventually('nothing is held', () => executor.stats().runs.length === 0);
  const marker = run.lines.find(({ message }) => message.startsWith('dropped '));
  const said = run.lines.filter(({ message }) => /^n\d+ /.test(message));
  t.ok(Number(fieldsOf(marker)['debug']) > 0);
  t.ok(said.length < 190);
  const [spool = ''] = readdirSync(join(folder, 'spool'));
  t.strictSame(readdirSync(join(folder, 'spool', spool)), [], 'no file is left');
});

t.test('a short line does not overtake long ones that are on their way to disk', (t) => {
  const spool = openSpool(t.testdir(), { memoryBytesMax: 500 });
  const given = ['a'.repeat(250), 'b'.repeat(400), 'c', 'd'.repeat(400), 'e'];
  // In one call: what does not fit into memory is written at its end.
  spool.append(given.map((message) => line(message)));
  const got: string[] = [];
  for (let batch = spool.peek(10, 10_000); batch !== null; batch = spool.peek(10, 10_000)) {
    got.push(...batch.lines.map(({ message }) => message));
    spool.acknowledge(batch.firstSeq - 1 + batch.lines.length);
  }
  t.same(got, given);
  spool.close();
  t.end();
});
