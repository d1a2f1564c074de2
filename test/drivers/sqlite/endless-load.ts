/** `node endless-load.ts FOLDER MODE`: loads batches into `people` of FOLDER/t.db until it fails or is killed. */
import type { WriteMode } from '../../../src/drivers/driver.ts';
import { ConnectorError } from '../../../src/drivers/driver.ts';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';

const [folder = '', mode = 'append'] = process.argv.slice(2);
const context = { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 1_000 };
const connection = await sqliteDriver.connect({ path: 't.db' }, context);
const writer = await connection.openWriter({
  object: 'people',
  mode: mode as WriteMode,
  key: mode === 'upsert' ? ['id'] : [],
  loadId: 'endless',
  allowEmpty: false,
  signal: new AbortController().signal,
});
const columns = [
  { name: 'id', type: 'integer', nullable: false },
  { name: 'name', type: 'string', nullable: false },
] as const;
try {
  for (let from = 10; ; from += 20_000) {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({
      id: from + i,
      name: `name ${from + i} ${'x'.repeat(100)}`,
    }));
    await writer.write({ columns, rows });
    console.log('batch');
  }
} catch (error) {
  console.log(error instanceof ConnectorError ? `${error.fault} ${error.message}` : String(error));
  await writer.abort();
}
