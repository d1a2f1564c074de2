/** `node endless-load.ts CONFIG`: loads rows into `big.csv` until it is killed; says `part` for each that is surely on its way. */
import { csvDriver } from '../../../../src/drivers/csv/driver.ts';
import { COLUMNS, context, loadOf, manyRows } from './connect-s3.ts';

const connection = await csvDriver.connect(JSON.parse(process.argv[2] ?? '{}'), context);
const writer = await connection.openWriter(loadOf('big.csv'));
for (let from = 0; ; from += 10_000) {
  await writer.write({ columns: COLUMNS, rows: manyRows(10_000, from) });
  console.log('part');
}
