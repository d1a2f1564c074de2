import t from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Driver } from '../../../src/drivers/driver.ts';
import { excelDriver } from '../../../src/drivers/excel/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { xmlDriver } from '../../../src/drivers/xml/driver.ts';
import { contextOf } from '../sql/engines.ts';

const { signal } = new AbortController();
const CSV = 'id,name\n1,Ada\n';

async function tested(driver: Driver, folder: string, path: string): Promise<string> {
  const records = driver === xmlDriver ? { records: 'row' } : {};
  const connection = await driver.connect({ path, ...records }, contextOf(folder));
  return connection.test(signal).finally(() => connection.close());
}

t.test('a test tells a file of another format, alone and in a folder', async (t) => {
  const wrong: readonly (readonly [Driver, string, RegExp])[] = [
    [parquetDriver, '.parquet', /is not a readable Parquet file: it does not end with "PAR1"/],
    [jsonDriver, '.json', /is not valid JSON/],
    [xmlDriver, '.xml', /XML/],
    [excelDriver, '.xlsx', /workbook/],
  ];
  for (const [driver, extension, message] of wrong) {
    const folder = t.testdir({ [`a${extension}`]: CSV, in: { [`b${extension}`]: CSV } });
    for (const path of [`a${extension}`, 'in']) {
      await t.rejects(tested(driver, folder, path), { fault: 'DATA', message }, `${driver.type} ${path}`);
    }
  }
});

t.test('what is of the format passes, and what is still empty', async (t) => {
  const folder = t.testdir({
    'a.csv': CSV,
    'a.json': '[{"id": 1}]',
    'a.xml': '<rows><row><id>1</id></row></rows>',
    'empty.csv': '',
    'empty.json': '',
  });
  t.equal(await tested(csvDriver, folder, 'a.csv'), 'a.csv, 14 bytes');
  t.equal(await tested(jsonDriver, folder, 'a.json'), 'a.json, 11 bytes');
  t.equal(await tested(xmlDriver, folder, 'a.xml'), 'a.xml, 34 bytes');
  t.equal(await tested(csvDriver, folder, 'empty.csv'), 'empty.csv, 0 bytes');
  t.equal(await tested(jsonDriver, folder, 'empty.json'), 'empty.json, 0 bytes');
});
