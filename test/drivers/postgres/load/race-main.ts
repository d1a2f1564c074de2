import type { ConnectorError, WriteMode } from '../../../../src/drivers/driver.ts';
import { postgresDriver } from '../../../../src/drivers/postgres/driver.ts';
import { batchOf, contextOf, load } from '../../sql/engines.ts';

/** One load of a process among others: prints what became of it. */
const [url = '', schema = '', mode = 'append', id = '1', startAt = '0'] = process.argv.slice(2);

const connection = await postgresDriver.connect({ url, schema }, contextOf('/'));
const writer = await connection.openWriter(load({ mode: mode as WriteMode, loadId: `load-${id}` }));
await new Promise((resolve) => setTimeout(resolve, Number(startAt) - Date.now()));
try {
  // A later batch has a column of which the first one knows nothing.
  await writer.write(batchOf([{ id: Number(id), a: 1 }]));
  await writer.write(batchOf([{ id: Number(id) + 100, a: 1, late: Number(id) }]));
  process.stdout.write(`${(await writer.commit()).rows}\n`);
} catch (error) {
  const { fault = '', message } = error as ConnectorError;
  process.stdout.write(`${fault} ${message}\n`);
} finally {
  await writer.abort();
  await connection.close();
}
