/** Reads the workbook that its argument names to its end; prints how many rows it has, and the most memory that this took. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { connect, signal } from './connect-excel.ts';

const STATUS = '/proc/self/status';

const path = realpathSync(process.argv[2] ?? '');
const connection = await connect(dirname(path), { path: basename(path) });
let rows = 0;
let last: unknown = null;
for await (const batch of connection.read({ method: 'read', args: {}, signal })) {
  rows += batch.rows.length;
  last = batch.rows.at(-1);
}
console.log(JSON.stringify({ rows, last, peakMb: Math.round(peakKb() / 1_024) }));

/** `resourceUsage` of Linux counts what the process that started this one had at that moment. */
function peakKb(): number {
  const own = existsSync(STATUS) ? /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(STATUS, 'utf8')) : null;
  return Number(own?.[1] ?? process.resourceUsage().maxRSS);
}
