/** `node endless-load.ts URL MODE`: loads batches into `people` until it fails or is killed. */
import type { WriteMode } from '../../../src/drivers/driver.ts';
import { mongodbDriver } from '../../../src/drivers/mongodb/driver.ts';
import { context } from './mongo-database.ts';

const [url = '', mode = 'append'] = process.argv.slice(2);
const connection = await mongodbDriver.connect({ url }, context);
const writer = await connection.openWriter({
  object: 'people',
  mode: mode as WriteMode,
  key: mode === 'merge' ? ['id'] : [],
  loadId: 'endless',
  allowEmpty: false,
  signal: new AbortController().signal,
});
const columns = [
  { name: 'id', type: 'integer', nullable: false },
  { name: 'name', type: 'string', nullable: false },
] as const;
for (let from = 10; ; from += 50) {
  await writer.write({
    columns,
    rows: Array.from({ length: 50 }, (_, i) => ({ id: from + i, name: 'half' })),
  });
  console.log('batch');
}
