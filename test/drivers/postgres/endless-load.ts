/** `node endless-load.ts URL MODE`: loads batches into `people`  until it fails or is killed. */
import type { WriteMode } from '../../../src/drivers/driver.ts';
import { ConnectorError } from '../../../src/drivers/driver.ts';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';

const [url = '', mode = 'append'] = process.argv.slice(2);
const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000 };
const connection = await postgresDriver.connect({ url }, context);
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
  for (let from = 10; ; from += 5_000) {
    const rows = Array.from({ length: 5_000 }, (_, i) => ({
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
