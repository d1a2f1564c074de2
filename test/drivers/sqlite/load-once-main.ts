import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import { batchOf, contextOf, writeAll } from '../sql/engines.ts';

/** A program of its own that loads one row, with a column of its own, once it is told to. */
const [folder = '', name = ''] = process.argv.slice(2);
const connection = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
process.stdout.write('ready\n');
process.stdin.once('data', () => {
  void writeAll(connection, { mode: 'append', loadId: name }, batchOf([{ id: name, [`c_${name}`]: 1 }])).then(
    () => {
      process.stdin.pause();
      return connection.close();
    },
  );
});
