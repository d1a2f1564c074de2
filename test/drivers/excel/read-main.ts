/** Reads the workbook that its argument names to its end; prints how many rows it has, and the most memory that this took. */
import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { connect, signal } from './connect-excel.ts';

const path = realpathSync(process.argv[2] ?? '');
const connection = await connect(dirname(path), { path: basename(path) });
let rows = 0;
let last: unknown = null;
for await (const batch of connection.read({ method: 'read', args: {}, signal })) {
  rows += batch.rows.length;
  last = batch.rows.at(-1);
}
console.log(JSON.stringify({ rows, last, peakMb: Math.round(process.resourceUsage().maxRSS / 1_024) }));
