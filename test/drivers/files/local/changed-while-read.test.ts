import { appendFileSync, renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import t from 'tap';
import { csvDriver } from '../../../../src/drivers/csv/driver.ts';
import type { Connection, Driver } from '../../../../src/drivers/driver.ts';
import { excelDriver } from '../../../../src/drivers/excel/driver.ts';
import { jsonDriver } from '../../../../src/drivers/json/driver.ts';
import { parquetDriver } from '../../../../src/drivers/parquet/driver.ts';
import { xmlDriver } from '../../../../src/drivers/xml/driver.ts';
import { sheetRow, workbookFile } from '../../excel/workbook-file.ts';
import { COLUMNS, connectS3, context, loadOf, manyRows, rowsOf, signal } from '../s3/connect-s3.ts';

const COUNT = 3_000;
const texts = manyRows(COUNT, 0, 600);
const csv = `id,text\n${texts.map(({ id, text }) => `${id},${text}\n`).join('')}`;
const ndjson = texts.map((row) => `${JSON.stringify(row)}\n`).join('');
const xml = `<r>${texts.map(({ id, text }) => `<i><id>${id}</id><text>${text}</text></i>`).join('')}</r>`;
const noise = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 251)).toString('base64');

interface Kind {
  readonly driver: Driver;
  readonly config?: object;
  readonly files: Readonly<Record<string, () => Promise<Buffer | string>>>;
}

async function parquetBytes(folder: string): Promise<Buffer | string> {
  const connection = await connectS3(t, { path: folder }, parquetDriver, { ...context, fileRoots: [folder] });
  const writer = await connection.openWriter(loadOf('made.parquet'));
  await writer.write({ columns: COLUMNS, rows: texts });
  await writer.commit();
  return (await import('node:fs')).readFileSync(join(folder, 'made.parquet'));
}

const KINDS: readonly Kind[] = [
  {
    driver: csvDriver,
    files: {
      'a.csv': async () => csv,
      'a.csv.gz': async () => gzipSync(csv),
      'a.csv.zst': async () => zstdCompressSync(csv),
    },
  },
  {
    driver: jsonDriver,
    files: {
      'a.ndjson': async () => ndjson,
      'a.json': async () => `[${ndjson.trim().replaceAll('\n', ',')}]`,
    },
  },
  { driver: xmlDriver, config: { records: 'r/i' }, files: { 'a.xml': async () => xml } },
  {
    driver: excelDriver,
    files: {
      'a.xlsx': async () => {
        const rows = texts.map(({ id }, index) =>
          sheetRow(index + 1, [Number(id), noise.slice(index, index + 600)]),
        );
        return workbookFile({ rows: rows.join('') });
      },
    },
  },
  { driver: parquetDriver, files: { 'a.parquet': () => parquetBytes(t.testdir()) } },
];

const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  'is cut': (path) => truncateSync(path, 1_000),
  'is written anew': (path) => writeFileSync(path, 'id,text\n1,x\n'),
  grows: (path) => appendFileSync(path, '9,x\n'),
  'is replaced': (path) => {
    writeFileSync(`${path}.new`, 'id,text\n1,x\n');
    renameSync(`${path}.new`, path);
  },
  'is removed': (path) => unlinkSync(path),
};

/** Reads the first batch, changes the file, and reads the rest. */
async function readWhile(connection: Connection, file: string, change: () => void): Promise<number> {
  let rows = 0;
  for await (const batch of connection.read({ method: 'read', args: { file }, signal, batchRows: 10 })) {
    if (rows === 0) change();
    rows += batch.rows.length;
  }
  return rows;
}

for (const { driver, config = {}, files } of KINDS)
  for (const [file, contents] of Object.entries(files))
    t.test(`a local ${file} that changes while it is read is noticed`, async (t) => {
      const folder = t.testdir();
      const bytes = await contents();
      const local = { ...context, fileRoots: [folder] };
      const connection = await connectS3(t, { path: folder, ...config }, driver, local);
      writeFileSync(join(folder, file), bytes);
      t.ok((await readWhile(connection, file, () => undefined)) >= COUNT - 1, 'one that stays is read');
      for (const [name, change] of Object.entries(CHANGES)) {
        writeFileSync(join(folder, file), bytes);
        await t.rejects(
          readWhile(connection, file, () => change(join(folder, file))),
          { fault: 'UNAVAILABLE', message: `The file "${file}" changed while it was read` },
          name,
        );
      }
      writeFileSync(join(folder, file), bytes);
      t.equal((await rowsOf(connection, { file }, { limit: 5 })).length, 5, 'a few rows of it');
    });
