import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { csvDriver } from '../../../../src/drivers/csv/driver.ts';
import { excelDriver } from '../../../../src/drivers/excel/driver.ts';
import { jsonDriver } from '../../../../src/drivers/json/driver.ts';
import { startSftpServer, withoutSftp } from '../../../support/sftp-server.ts';
import { sheetRow, workbookFile } from '../../excel/workbook-file.ts';
import {
  COLUMNS,
  connectS3 as connect,
  context,
  loadOf,
  manyRows,
  rowsOf,
  signal,
} from '../s3/connect-s3.ts';

const skip = withoutSftp();

t.test('files of a folder: lists, patterns, ranges of large ones, workbooks', { skip }, async (t) => {
  const server = await startSftpServer(t);
  const { folder } = server;
  mkdirSync(join(folder, '2026/01'), { recursive: true });
  mkdirSync(join(folder, '2026/.hidden'));
  writeFileSync(join(folder, '2026/01/a.csv'), 'id,text\n1,ä\n');
  writeFileSync(join(folder, '2026/b.csv'), 'id,text\n2,b\n');
  writeFileSync(join(folder, '2026/.hidden/c.csv'), 'id,text\n3,c\n');
  symlinkSync('/etc/passwd', join(folder, '2026/link.csv'));
  utimesSync(join(folder, '2026/b.csv'), 1_700_000_000, 1_700_000_000);
  const large = manyRows(20_000).map(({ id, text }) => `${id},${text}`);
  writeFileSync(join(folder, 'large.csv'), `id,text\n${large.join('\n')}\n`);
  writeFileSync(join(folder, 'a.xlsx'), workbookFile({ rows: sheetRow(1, ['n']) + sheetRow(2, [7]) }));
  const connection = await connect(t, server.config(''));
  t.strictSame(await connection.listResources(signal), [{ name: 'large.csv', type: 'file' }]);
  t.equal(await connection.test(signal), '1 file');
  const many = { files: '2026/**/*.csv', file_column: 'file', modified_column: 'at' };
  const rows = await rowsOf(connection, many);
  t.strictSame(
    rows.map(({ id, text, file }) => [id, text, file]),
    [
      [1, 'ä', '2026/01/a.csv'],
      [2, 'b', '2026/b.csv'],
    ],
    'no link is followed, and nothing hidden is read',
  );
  t.equal(rows[1]?.['at'], '2023-11-14T22:13:20.000Z');
  const read = await rowsOf(connection, { file: 'large.csv' });
  t.strictSame([read.length, read[19_999]?.['id']], [20_000, 19_999]);
  await t.rejects(rowsOf(connection, { file: 'no.csv' }), {
    fault: 'CONFIG',
    message: /"no.csv" does not exist/,
  });
  await t.rejects(rowsOf(connection, { file: '../b.csv' }), {
    fault: 'CONFIG',
    message: /from the connector's folder/,
  });
  const workbook = await connect(t, server.config('a.xlsx'), excelDriver);
  t.strictSame(await rowsOf(workbook), [{ n: 7 }]);
});

t.test('a file that is changed in place while it is read ends the read', { skip }, async (t) => {
  const server = await startSftpServer(t);
  const path = join(server.folder, 'a.csv');
  const lines = manyRows(20_000).map(({ id, text }) => `${id},${text}`);
  writeFileSync(path, `id,text\n${lines.join('\n')}\n`);
  const connection = await connect(t, server.config('a.csv'));
  await t.rejects(
    async () => {
      for await (const _ of connection.read({ method: 'read', args: {}, signal }))
        appendFileSync(path, '1,x\n');
    },
    { fault: 'UNAVAILABLE', message: 'The file "a.csv" changed while it was read' },
  );
});

t.test('a load is seen when it commits, as a whole, and leaves nothing else', { skip }, async (t) => {
  const server = await startSftpServer(t);
  const connection = await connect(t, server.config(''));
  const place = join(server.folder, 'out.csv');
  writeFileSync(place, 'old\n', { mode: 0o640 });
  const rows = manyRows(3_000);
  const writer = await connection.openWriter(loadOf('out.csv'));
  for (let at = 0; at < rows.length; at += 1_000)
    await writer.write({ columns: [...COLUMNS], rows: rows.slice(at, at + 1_000) });
  t.equal(readFileSync(place, 'utf8'), 'old\n');
  t.equal(readdirSync(server.folder).length, 2, 'the next contents are in a hidden file');
  t.strictSame(await writer.commit(), { rows: 3_000 });
  t.strictSame(readdirSync(server.folder), ['out.csv']);
  t.strictSame(await rowsOf(connection, { file: 'out.csv' }), rows);
  const given = await connection.openWriter(loadOf('out.csv', { loadId: 'load 2' }));
  await given.write({ columns: [...COLUMNS], rows: manyRows(1) });
  await given.abort();
  t.strictSame(readdirSync(server.folder), ['out.csv']);
  // An attempt that died, and the next one of the same load.
  const died = await connect(t, server.config(''));
  const lost = await died.openWriter(loadOf('out.csv', { loadId: 'load 3' }));
  await lost.write({ columns: [...COLUMNS], rows: manyRows(1) });
  await died.close();
  t.equal(readdirSync(server.folder).length, 2);
  const next = await connection.openWriter(loadOf('out.csv', { loadId: 'load 3' }));
  await next.write({ columns: [...COLUMNS], rows: manyRows(2) });
  await next.commit();
  t.strictSame(readdirSync(server.folder), ['out.csv']);
});

t.test('appends go on from what is there, once each, and none loses another’s rows', { skip }, async (t) => {
  const server = await startSftpServer(t);
  const place = join(server.folder, 'out.ndjson');
  const connection = await connect(t, server.config(''), jsonDriver);
  const append = async (loadId: string, from: number) => {
    const writer = await connection.openWriter(loadOf('out.ndjson', { mode: 'append', loadId }));
    if (writer.alreadyDone === null)
      await writer.write({ columns: [...COLUMNS], rows: manyRows(2, from, 3) });
    return writer;
  };
  const lines = () => readFileSync(place, 'utf8').trim().split('\n').length;
  await (await append('a', 0)).commit();
  await (await append('b', 2)).commit();
  t.equal(lines(), 4);
  t.strictSame((await append('b', 2)).alreadyDone, { rows: 2 }, 'a retry of a load that has committed');
  const [one, two] = [await append('c', 4), await append('d', 6)];
  await one.commit();
  await t.rejects(two.commit(), { fault: 'UNAVAILABLE', message: /changed while this load ran/ });
  await two.abort();
  await (await append('d', 6)).commit();
  t.equal(lines(), 8);
  t.strictSame(readdirSync(server.folder).sort(), ['.out.ndjson.headgate', 'out.ndjson']);
  // An attempt that died between its record and its rename has not committed.
  const record = join(server.folder, '.out.ndjson.headgate');
  const staging = '.headgate-dead.staging';
  const load = createHash('sha256').update('e').digest('hex');
  const entry = { load, rows: 2, staging, size_bytes: readFileSync(place).length + 1 };
  writeFileSync(record, JSON.stringify([...JSON.parse(readFileSync(record, 'utf8')), entry]));
  writeFileSync(join(server.folder, staging), 'x');
  await (await append('e', 8)).commit();
  t.equal(lines(), 10);
  t.strictSame((await append('e', 8)).alreadyDone, { rows: 2 });
});

t.test('only the pinned server gets the secret, and only where the rules allow it', { skip }, async (t) => {
  const server = await startSftpServer(t);
  writeFileSync(join(server.folder, 'a.csv'), 'id\n1\n');
  const config = server.config('');
  const with_ = (host_key: unknown) => ({ ...config, sftp: { ...config.sftp, host_key } });
  const key = Buffer.from(server.hostKey.split(' ')[1] ?? '', 'base64');
  const fingerprint = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=$/, '')}`;
  const other = `SHA256:${createHash('sha256').update('other').digest('base64').replace(/=$/, '')}`;
  t.equal(await (await connect(t, with_([other, fingerprint]))).test(signal), '1 file');
  await t.rejects((await connect(t, with_(other))).test(signal), {
    fault: 'CONFIG',
    message: `The server presents another host key than "host_key" of "sftp": ${fingerprint}`,
  });
  const stranger = { ...config, sftp: { ...config.sftp, user: 'nobody-here' } };
  await t.rejects((await connect(t, stranger)).test(signal), { fault: 'AUTH', message: /rejected the user/ });
  await t.rejects((await connect(t, { ...config, private_key: 'no key' })).test(signal), {
    fault: 'CONFIG',
    message: /The private key cannot be used/,
  });
  const closed = { ...context, outbound: { policy: 'public-only' as const, allow: [], ownPorts: [] } };
  await t.rejects((await connect(t, config, csvDriver, closed)).test(signal), {
    fault: 'CONFIG',
    message: /127/,
  });
  for (const [wrong, message] of [
    [{ ...config, sftp: { user: 'x' } }, /Give the host key of the server/],
    [{ ...config, password: 'x' }, /either "password" or "private_key"/],
    [{ ...config, path: 'sftp://user@host/a/' }, /with the user in "sftp"/],
    [{ ...config, path: 'data/' }, /is for a "path" that begins with sftp/],
  ] as const)
    await t.rejects(csvDriver.connect(wrong, context), { fault: 'CONFIG', message });
});

t.test('a folder that is not there, and a port of something else, are told as such', { skip }, async (t) => {
  const server = await startSftpServer(t);
  const nowhere = await connect(t, server.config('none/'));
  const noFolder = { fault: 'CONFIG', message: /has no such folder: correct the "path"/ };
  await t.rejects(nowhere.test(signal), noFolder);
  await t.rejects(rowsOf(nowhere, { files: '*.csv', modified_column: 'at' }), noFolder, 'not zero rows');
  await t.rejects(nowhere.openWriter(loadOf('out.csv')), {
    fault: 'CONFIG',
    message: /The folder of "out\.csv" does not exist on the server: create it/,
  });
  const other = createServer((socket) =>
    socket
      .on('error', () => undefined)
      .resume()
      .end(),
  ).listen(0, '127.0.0.1');
  t.teardown(() => new Promise((resolve) => other.close(resolve)));
  await once(other, 'listening');
  const at = (port: number) => {
    const config = server.config('');
    return { ...config, path: `sftp://127.0.0.1:${port}/` };
  };
  for (const [port, message] of [
    [(other.address() as AddressInfo).port, /closed the connection before a greeting of SSH: check the port/],
    [1, /cannot be reached: the connection was refused: check the host and the port/],
  ] as const)
    await t.rejects((await connect(t, at(port))).test(signal), { fault: 'UNAVAILABLE', message });
});

t.test('a file whose name is not UTF-8 is told as such', { skip }, async (t) => {
  const server = await startSftpServer(t);
  writeFileSync(Buffer.from(`${server.folder}/caf\u00e9.csv`, 'latin1'), 'id\n1\n');
  const connection = await connect(t, server.config(''));
  await t.rejects(rowsOf(connection, { files: '*.csv' }), {
    fault: 'CONFIG',
    message: /"caf\uFFFD\.csv" has a name that is not UTF-8: rename it/,
  });
});

t.test('a pipe is refused at once, and the connection goes on', { skip }, async (t) => {
  const server = await startSftpServer(t);
  execFileSync('mkfifo', [join(server.folder, 'pipe.csv')]);
  writeFileSync(join(server.folder, 'a.csv'), 'id\n1\n');
  const pipe = await connect(t, server.config('pipe.csv'));
  const from = performance.now();
  await t.rejects(rowsOf(pipe), {
    fault: 'CONFIG',
    message: /"pipe.csv" is not a file: it is a folder, a pipe/,
  });
  t.ok(performance.now() - from < 10_000);
  const folder = await connect(t, server.config(''));
  t.strictSame(await rowsOf(folder, { files: '*.csv' }), [{ id: 1 }]);
});
