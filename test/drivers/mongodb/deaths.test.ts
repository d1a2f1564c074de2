import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import type { WriteMode } from '../../../src/drivers/driver.ts';
import { withoutMongodb } from '../../support/ferretdb.ts';
import { batchOf, writeAll } from '../sql/engines.ts';
import { connectDatabase, contentOf } from './mongo-database.ts';

const rows = Array.from({ length: 120 }, (_, i) => ({ id: i, name: 'whole' }));

/** Loads until some batches are in, then kills the program. */
async function killLoad(url: string, mode: WriteMode): Promise<void> {
  const program = `${import.meta.dirname}/endless-load.ts`;
  const child = spawn(process.execPath, [program, url, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  let batches = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    batches += String(chunk).split('batch').length - 1;
    if (batches < 3) continue;
    child.kill('SIGKILL');
    break;
  }
  if (child.signalCode === null) await once(child, 'exit');
}

for (const mode of ['append', 'merge', 'replace'] as const) {
  t.test(
    `after a kill -9 the next attempt of ${mode} loses no row and doubles none`,
    { skip: withoutMongodb() },
    async (t) => {
      const { connection: c, db, url } = await connectDatabase(t);
      await db.collection('people').insertOne({ id: -1, name: 'old' });
      await killLoad(url, mode);
      const left = await db.collection('people').countDocuments();
      if (mode === 'replace') t.equal(left, 1, 'nothing is seen of it');
      else t.ok(left > 100, 'it had begun');
      t.equal(
        await writeAll(c, { mode, loadId: 'endless' }, batchOf(rows.slice(0, 50)), batchOf(rows.slice(50))),
        120,
      );
      const all = await contentOf(db, 'people');
      if (mode === 'replace') return t.strictSame(all, rows);
      const whole = all.filter(({ name }) => name === 'whole');
      t.strictSame(whole, rows);
      t.equal(all.filter(({ id }) => id === -1).length, 1, 'what was there before is there');
      t.equal(new Set(all.map(({ id }) => id)).size, all.length, 'no key is doubled');
      if (mode === 'append') t.equal(all.length, rows.length + 1, 'nothing of the dead attempt is left');
    },
  );
}
