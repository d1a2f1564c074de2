// Long list: it kills processes, or cuts what they rely on; quick: test/executor/log/log-spool.test.ts.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { AppError } from '../../src/base/errors.ts';
import { eventually, messagesOf, startBench } from './support/executor-bench.ts';
import type { FloodOrder, FloodReport } from './support/spool-flood-main.ts';

const MB = 1_048_576;
const flood = fileURLToPath(new URL('./support/spool-flood-main.ts', import.meta.url));
const run = promisify(execFile);

/** Without its signal, a write beyond the limit fails like one to a full disk. */
async function floodUnder(order: FloodOrder, fileBlocksMax: number | null = null): Promise<FloodReport> {
  const limit = fileBlocksMax === null ? '' : `trap '' XFSZ; ulimit -f ${fileBlocksMax};`;
  const { stdout } = await run('sh', [
    '-c',
    `${limit} exec "$0" "$@"`,
    process.execPath,
    flood,
    JSON.stringify(order),
  ]);
  return JSON.parse(stdout) as FloodReport;
}

t.test('a disk that is full in the middle costs lines that are counted, and nothing else', async (t) => {
  const folder = t.testdir();
  const order = { path: join(folder, 'log'), lines: 40_000, messageChars: 200, bytesMax: 64 * MB };
  const report = await floodUnder(order, 2_048);
  t.ok(report.diskBytesMax > 0 && report.diskBytesMax < 4 * MB, `${report.diskBytesMax} bytes on disk`);
  t.ok(report.dropped > 0);
  t.equal(report.kept + report.dropped, order.lines + 1, 'every line is there or counted');
  t.equal(report.lastMessage, 'there is room again');
  t.strictSame(readdirSync(folder), []);
});

t.test('a flood leaves the memory flat and the disk bounded, and debug goes first', async (t) => {
  const folder = t.testdir();
  const order = { path: join(folder, 'log'), lines: 400_000, messageChars: 100, bytesMax: 16 * MB };
  const report = await floodUnder(order);
  t.comment(`${Math.round(report.linesPerSecond)} lines/s, ${report.grownMb.toFixed(1)} MB more`);
  t.ok(report.grownMb < 40, `${report.grownMb} MB`);
  t.ok(report.diskBytesMax <= order.bytesMax);
  t.equal(report.kept + report.dropped, order.lines + 1);
  t.ok(report.keptOf.debug < report.keptOf.info && report.keptOf.info < report.keptOf.error);
  t.equal(report.lastMessage, 'there is room again');
});

t.test('lines of a megabyte are cut, and cost no more than that', async (t) => {
  const folder = t.testdir();
  const order = { path: join(folder, 'log'), lines: 3_000, messageChars: MB, bytesMax: 64 * MB };
  const report = await floodUnder(order);
  t.ok(report.grownMb < 60, `${report.grownMb} MB`);
  t.ok(report.diskBytesMax <= order.bytesMax);
  t.equal(report.kept + report.dropped, order.lines + 1);
  t.ok(report.kept > 1_000);
});

t.test('NUL, escape sequences and broken UTF-16 arrive as what they are, also by the disk', async (t) => {
  const { plane } = await startBench(t, { limits: { spoolMemoryBytesMax: 100 } });
  let shut = true;
  plane.before = (operation) => {
    if (shut && operation === 'appendLogs') throw new AppError('NOT_READY', 'not now');
  };
  const odd = 'nul \0 ansi \u001b[31mred\u001b[0m lone \ud800 half \udc00 line\nbreak \u2028 end';
  const steps = Array.from(
    { length: 20 },
    (_, n) => `  - { id: s${n}, kind: log, message: "{{ args.odd }}" }`,
  );
  const told = plane.enqueue({
    yaml: `version: 1\nname: odd\nargs: { odd: { type: string } }\nsteps:\n${steps.join('\n')}\n`,
    args: { odd },
  });
  await eventually(
    'the run has ended',
    () => told.status === 'running' && plane.calls.includes('appendLogs'),
  );
  shut = false;
  await eventually('the log is whole', () => told.completion?.last_log_seq === told.lines.length);
  const wellFormed = odd.toWellFormed();
  t.equal(messagesOf(told).filter((message) => message === wellFormed).length, 20);
});
