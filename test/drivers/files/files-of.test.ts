import t, { type Test } from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Connection, Driver, Row } from '../../../src/drivers/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { xmlDriver } from '../../../src/drivers/xml/driver.ts';
import { startReceiver } from '../../support/http-receiver.ts';
import { connectS3, context, signal } from './s3/connect-s3.ts';
import { STORAGES } from './set/storages.ts';

/* The files that a read would open, listed once and read in shares. */

const FORMATS: readonly (readonly [Driver, string, (id: number) => string, object])[] = [
  [csvDriver, 'csv', (id) => `id\n${id}\n`, {}],
  [jsonDriver, 'ndjson', (id) => `{"id":${id}}\n`, {}],
  [xmlDriver, 'xml', (id) => `<all><one><id>${id}</id></one></all>`, { records: 'one' }],
];

async function idsOf(
  connection: Connection,
  args: object,
  files: readonly { name: string }[],
): Promise<Row[]> {
  const rows: Row[] = [];
  const request = { method: 'read', args, signal, files: files as never };
  for await (const batch of connection.read(request)) rows.push(...batch.rows);
  return rows.map((row) => ({ ...row, id: Number(row['id']) }));
}

async function isShared(t: Test, connection: Connection, ending: string, what: string): Promise<void> {
  const args = { files: `in/*.${ending}`, file_column: 'file' };
  const found = (await connection.filesOf?.({ method: 'read', args, signal })) ?? [];
  const names = [1, 2, 3].map((id) => `in/f${id}.${ending}`);
  t.same(
    found.map(({ name }) => name),
    names,
    what,
  );
  t.same(await idsOf(connection, args, [found[0], found[2]] as never), [
    { id: 1, file: names[0] },
    { id: 3, file: names[2] },
  ]);
  t.same(await idsOf(connection, args, []), [], 'no files, no rows');
  const some = { ...args, filter: { file: names[1] } };
  t.same(
    (await connection.filesOf?.({ method: 'read', args: some, signal }))?.length,
    1,
    'a filter on the file',
  );
  const request = { method: 'read', args: { file: names[0] }, signal };
  await t.rejects(connection.filesOf?.(request) as Promise<unknown>, {
    fault: 'CONFIG',
    message: /by a pattern/,
  });
}

for (const { name, skip, open } of STORAGES)
  t.test(`${name}: files are listed once, and some of them are read`, { skip }, async (t) => {
    const place = await open(t);
    for (const [driver, ending, text, config] of FORMATS) {
      for (const id of [1, 2, 3]) await place.put(`in/f${id}.${ending}`, text(id));
      const where = { ...context, fileRoots: [place.folder] };
      const connection = await connectS3(t, { ...place.config, ...config }, driver, where);
      await isShared(t, connection, ending, `${name}, ${ending}`);
    }
  });

t.test('a web server: the files of its list', async (t) => {
  const server = await startReceiver(t);
  server.answer = (response, { path }) => {
    const id = /f(\d)\.csv$/.exec(path)?.[1];
    response.writeHead(id === undefined ? 404 : 200).end(`id\n${id}\n`);
  };
  const list = [1, 2, 3].map((id) => `in/f${id}.csv`);
  const path = `http://127.0.0.1:${server.port}/`;
  const connection = await connectS3(t, { path, https: { files: list } }, csvDriver);
  await isShared(t, connection, 'csv', 'a web server');
});
