/**
 * A spool under a flood, in a process of its own: its disk may be limited from outside, and its memory is its own. Says as JSON
 * what became of the lines.
 */
import { systemClock } from '../../../src/base/clock.ts';
import { LOG_LEVEL_NAMES, type LogLevel, logLevelName } from '../../../src/base/run-report.ts';
import { logLineOf } from '../../../src/executor/log/log-line.ts';
import { LogSpool } from '../../../src/executor/log/log-spool.ts';
import type { LogLine } from '../../../src/protocol/control-plane.ts';

export interface FloodOrder {
  readonly path: string;
  readonly lines: number;
  readonly messageChars: number;
  readonly bytesMax: number;
}

export interface FloodReport {
  readonly linesPerSecond: number;
  /** Growth of resident memory from the first tenth of the flood to its end. */
  readonly grownMb: number;
  readonly lastSeq: number;
  /** Lines that were read back; their own numbers rose. */
  readonly kept: number;
  readonly keptOf: Readonly<Record<LogLevel, number>>;
  /** Sum of what the markers say. */
  readonly dropped: number;
  /** A line that was told after everything else had been read back. */
  readonly lastMessage: string;
  readonly diskBytesMax: number;
}

const BATCH = 1_000;
const order = JSON.parse(process.argv[2] ?? '') as FloodOrder;
const rssMb = () => process.memoryUsage.rss() / 1_048_576;

const spool = new LogSpool({
  path: order.path,
  bytesMax: order.bytesMax,
  memoryBytesMax: 1_048_576,
  clock: systemClock,
});
const text = 'x'.repeat(order.messageChars);
const lineOf = (n: number): LogLine => {
  const level = LOG_LEVEL_NAMES[n % LOG_LEVEL_NAMES.length] ?? 'info';
  return logLineOf({ at: n, level, stepId: 'read', message: text }, 32_768);
};

let diskBytesMax = 0;
let beforeMb = 0;
const from = performance.now();
for (let n = 0; n < order.lines; n += BATCH) {
  spool.append(Array.from({ length: Math.min(BATCH, order.lines - n) }, (_, index) => lineOf(n + index)));
  diskBytesMax = Math.max(diskBytesMax, spool.diskBytes);
  if (beforeMb === 0 && n >= order.lines / 10) beforeMb = rssMb();
}
const seconds = (performance.now() - from) / 1_000;
const grownMb = rssMb() - beforeMb;

const keptOf = { debug: 0, info: 0, warn: 0, error: 0 };
let [kept, dropped, newest, seq] = [0, 0, -1, 0];
let lastMessage = '';
function readBack(): void {
  for (let batch = spool.peek(1_000, 1_000_000); batch !== null; batch = spool.peek(1_000, 1_000_000)) {
    if (batch.firstSeq !== seq + 1) throw new Error(`a gap before ${batch.firstSeq}`);
    seq += batch.lines.length;
    for (const { at, level, message, fields_json } of batch.lines) {
      lastMessage = message;
      const fields = JSON.parse(fields_json || '{}');
      if (fields.dropped !== undefined) dropped += Number(fields.dropped);
      else if (at <= newest) throw new Error('out of order');
      else {
        newest = at;
        kept += 1;
        keptOf[logLevelName(level)] += 1;
      }
    }
    spool.acknowledge(seq);
  }
}
readBack();
spool.append([{ ...lineOf(order.lines), message: 'there is room again' }]);
spool.end();
readBack();
const report: FloodReport = {
  linesPerSecond: order.lines / seconds,
  grownMb,
  lastSeq: spool.lastSeq,
  kept,
  keptOf,
  dropped,
  lastMessage,
  diskBytesMax,
};
if (seq !== spool.lastSeq) throw new Error('lines are missing');
spool.close();
console.log(JSON.stringify(report));
