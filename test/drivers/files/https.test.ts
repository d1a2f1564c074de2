import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Connection, Driver } from '../../../src/drivers/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { type HttpReceiver, type Received, startReceiver } from '../../support/http-receiver.ts';
import { connectS3, context, loadOf, manyRows, rowsOf, signal } from './s3/connect-s3.ts';

const CSV = `id,text\n${manyRows(20_000, 0, 60)
  .map(({ id, text }) => `${id},${text}`)
  .join('\n')}\n`;

interface Served {
  readonly body: string | Buffer;
  readonly etag?: string;
  readonly modified?: string;
  readonly hasRanges?: boolean;
  readonly headers?: Record<string, string>;
}

/** Answers as a web server does that has these files. */
function give(response: ServerResponse, { method, headers }: Received, file: Served | undefined): void {
  if (file === undefined) return void response.writeHead(404).end('<html>not found</html>');
  const body = Buffer.from(file.body);
  const named = {
    ...(file.etag && { etag: file.etag }),
    ...(file.modified && { 'last-modified': file.modified }),
    ...file.headers,
  };
  const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
  if (from === undefined || file.hasRanges === false) {
    response.writeHead(200, { ...named, 'content-length': body.length });
    return void response.end(method === 'HEAD' ? undefined : body);
  }
  if (Number(from) >= body.length)
    return void response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
  const part = body.subarray(Number(from), Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`;
  response.writeHead(206, { ...named, 'content-range': range, 'content-length': part.length }).end(part);
}

async function serve(t: Test, files: Record<string, Served>) {
  const server = await startReceiver(t);
  server.answer = (response, request) => give(response, request, files[request.path]);
  return server;
}

const originOf = ({ port }: HttpReceiver) => `http://127.0.0.1:${port}`;
const connect = (t: Test, path: string, more: object = {}, driver?: Driver): Promise<Connection> =>
  connectS3(t, { path, ...more }, driver);

t.test('files with and without ranges, compressed, empty, in folders with odd names', async (t) => {
  const server = await serve(t, {
    '/d/ranges.csv': { body: CSV, etag: '"1"' },
    '/d/whole.csv': { body: CSV, hasRanges: false },
    '/d/a.csv.gz': { body: gzipSync(CSV), etag: '"2"' },
    '/d/way.csv.gz': { body: gzipSync(CSV), hasRanges: false, headers: { 'content-encoding': 'gzip' } },
    '/d/empty.csv': { body: '' },
    '/d/%C3%BC%20b/c%23.csv': { body: 'id\n1\n' },
  });
  const connection = await connect(t, `${originOf(server)}/d/`);
  for (const file of ['ranges.csv', 'whole.csv', 'a.csv.gz', 'way.csv.gz'])
    t.strictSame(await rowsOf(connection, { file }), manyRows(20_000, 0, 60), file);
  t.strictSame(await rowsOf(connection, { file: 'empty.csv' }), []);
  t.strictSame(await rowsOf(connection, { file: 'ü b/c#.csv' }), [{ id: 1 }]);
  const ranges = server.received.filter(({ path }) => path === '/d/ranges.csv');
  t.ok(ranges.length > 2 && ranges.every(({ headers }) => headers.range !== undefined));
  await t.rejects(rowsOf(connection, { file: '../d/ranges.csv' }), { fault: 'CONFIG', message: /must name/ });
  await t.rejects(connection.listResources(signal), { fault: 'CONFIG', message: /does not list its files/ });
  await t.rejects(connection.openWriter(loadOf('new.csv')), { fault: 'CONFIG', message: /read-only/ });
});

t.test('one file by its URL, with a query', async (t) => {
  const server = await serve(t, { '/a.csv?v=1': { body: 'id\n1\n' } });
  const connection = await connect(t, `${originOf(server)}/a.csv?v=1`);
  t.strictSame(await rowsOf(connection), [{ id: 1 }]);
  t.match(await connection.test(signal), /^a\.csv, 5 bytes$/);
});

t.test('lists and manifests: patterns, names, times of change', async (t) => {
  const modified = 'Wed, 21 Oct 2015 07:28:00 GMT';
  const files = {
    '/d/2026/a.csv': { body: 'id\n1\n', modified },
    '/d/2026/b.csv': { body: 'id\n2\n', modified },
    '/d/timeless.csv': { body: 'id\n3\n' },
    '/d/list.txt': { body: '# ours\n2026/b.csv\r\n2026/a.csv\n' },
    '/d/list.json': { body: '["2026/a.csv"]' },
    '/d/bad.json': { body: '[1]' },
  };
  const server = await serve(t, files);
  const many = { files: '2026/*.csv', file_column: 'file', modified_column: 'at' };
  const row = (id: number, file: string) => ({ id, file, at: '2015-10-21T07:28:00.000Z' });
  const both = [row(1, '2026/a.csv'), row(2, '2026/b.csv')];
  const open = (https: object) => connect(t, `${originOf(server)}/d/`, { https });
  t.strictSame(await rowsOf(await open({ files: ['2026/a.csv', '2026/b.csv', 'timeless.csv'] }), many), both);
  t.strictSame(await rowsOf(await open({ manifest: 'list.txt' }), many), both);
  t.strictSame(await rowsOf(await open({ manifest: 'list.json' }), many), both.slice(0, 1));
  await t.rejects(rowsOf(await open({ manifest: 'bad.json' }), many), { fault: 'DATA', message: /manifest/ });
  await t.rejects(rowsOf(await open({ files: ['timeless.csv'] }), { ...many, files: '*.csv' }), {
    message: /does not report when "timeless.csv" changed/,
  });
});

t.test('a test of a folder asks for one of its files, whoever lists them', async (t) => {
  const server = await serve(t, { '/d/a.csv': { body: 'id\n1\n' } });
  const tested = async (files: readonly string[]) =>
    (await connect(t, `${originOf(server)}/d/`, { https: { files } })).test(signal);
  t.equal(await tested(['a.csv']), '1 file');
  await t.rejects(tested(['b.csv']), { fault: 'CONFIG', message: /"b\.csv" does not exist/ });
  server.answer = (response) => void response.writeHead(401).end();
  await t.rejects(tested(['a.csv', 'b.csv']), { fault: 'AUTH', message: /denies access to "a\.csv"/ });
});

t.test('what is no file is told apart, and a refusal that passes is tried again', async (t) => {
  const server = await serve(t, {});
  const connection = await connect(t, `${originOf(server)}/d/`);
  const answered = async (status: number, body = '', headers: Record<string, string> = {}) => {
    server.answer = (response) => void response.writeHead(status, headers).end(body);
    server.received.length = 0;
    await rowsOf(connection, { file: 'a.csv' }).then(
      () => t.fail(`${status} gave rows`),
      (error) => t.match(error, {}),
    );
    return rowsOf(connection, { file: 'a.csv' }).catch((error) => error);
  };
  t.match(await answered(404), { fault: 'CONFIG', message: /"a.csv" does not exist on the server \(404\)/ });
  t.match(await answered(403), { fault: 'AUTH', message: /denies access to "a.csv"/ });
  t.match(await answered(204), { fault: 'CONFIG' });
  t.match(await answered(200, '<!DOCTYPE html><p>Sign in'), {
    fault: 'CONFIG',
    message: /a web page instead/,
  });
  t.match(await answered(503, '', { 'retry-after': '600' }), { fault: 'UNAVAILABLE', retryAfterMs: 600_000 });
  t.equal(server.received.length, 2, 'nobody waits ten minutes');
  server.answer = (response, request, index) => {
    if (index % 2 === 0) response.writeHead(503, { 'retry-after': '0' }).end();
    else give(response, request, { body: 'id\n1\n' });
  };
  server.received.length = 0;
  t.strictSame(await rowsOf(connection, { file: 'a.csv' }), [{ id: 1 }]);
});

t.test('a server without TLS at the port is told apart from a certificate', async (t) => {
  const server = await serve(t, {});
  const connection = await connect(t, `${originOf(server).replace('http:', 'https:')}/d/`);
  await t.rejects(rowsOf(connection, { file: 'a.csv' }), {
    fault: 'CONFIG',
    message: /does not speak TLS at this port: correct "path", or begin it with "http:\/\/"/,
  });
});

t.test('a file that changes while it is read ends the read, by its ETag, time or size', async (t) => {
  for (const [before, after] of [
    [
      { body: CSV, etag: '"1"' },
      { body: CSV, etag: '"2"' },
    ],
    [
      { body: CSV, modified: 'a' },
      { body: CSV, modified: 'b' },
    ],
    [{ body: CSV }, { body: `${CSV}1,x\n` }],
    [
      { body: CSV, etag: '"1"' },
      { body: CSV, etag: '"1"', hasRanges: false },
    ],
  ]) {
    const server = await serve(t, {});
    const connection = await connect(t, `${originOf(server)}/d/`);
    server.answer = (response, request, index) => give(response, request, index === 0 ? before : after);
    await t.rejects(
      rowsOf(connection, { file: 'a.csv' }),
      { fault: 'UNAVAILABLE', message: /changed while it was read/ },
      JSON.stringify({ ...after, body: '' }),
    );
  }
});

t.test('the secret header goes to its host alone, and not past a redirect', async (t) => {
  const other = await serve(t, { '/b.csv': { body: 'id\n1\n' } });
  const server = await startReceiver(t);
  server.answer = (response) => void response.writeHead(302, { location: `${originOf(other)}/b.csv` }).end();
  const https = { host: `127.0.0.1:${server.port}`, header: 'x-api-key' };
  const connection = await connect(t, `${originOf(server)}/d/`, { https, header_value: 'secret' });
  t.strictSame(await rowsOf(connection, { file: 'a.csv' }), [{ id: 1 }]);
  t.equal(server.received[0]?.headers['x-api-key'], 'secret');
  t.notOk('x-api-key' in (other.received[0]?.headers ?? {}));
  server.answer = (response) => void response.writeHead(302, { location: '/d/a.csv' }).end();
  await t.rejects(rowsOf(connection, { file: 'a.csv' }), { fault: 'CONFIG', message: /in a loop/ });
});

t.test('a Parquet file is read by its ends, and hosts that rules refuse are not asked', async (t) => {
  const server = await startReceiver(t);
  await t.rejects(
    connectS3(t, { path: `${originOf(server)}/a.csv` }, csvDriver, {
      ...context,
      outbound: undefined,
    } as never),
    { fault: 'CONFIG', message: /127\.0\.0\.1/ },
  );
  t.equal(server.received.length, 0);
  server.answer = (response, request) => give(response, request, { body: 'no parquet', etag: '"1"' });
  const parquet = await connect(t, `${originOf(server)}/a.parquet`, {}, parquetDriver);
  await t.rejects(rowsOf(parquet), { fault: 'DATA', message: /not a readable Parquet file/ });
});

t.test('a certificate that nobody vouches for is told', async (t) => {
  const pem = (name: string) =>
    readFileSync(new URL(`../../protocol/fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
  const strange = createTlsServer({ cert: pem('server'), key: pem('server-key') });
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
  t.teardown(() => strange.close());
  const { port } = strange.address() as AddressInfo;
  const connection = await connect(t, `https://127.0.0.1:${port}/d/`);
  await t.rejects(rowsOf(connection, { file: 'a.csv' }), {
    fault: 'CONFIG',
    message: /does not trust the TLS certificate of the server \(.*NODE_EXTRA_CA_CERTS/,
  });
});

t.test('a configuration that cannot work is refused where it is saved', async (t) => {
  const CASES: readonly (readonly [object, RegExp])[] = [
    [{ path: 'https://user:pw@host/a.csv' }, /without a user/],
    [{ path: 'https://host/d/?x=1' }, /no "\?"/],
    [{ path: 'https://host/a.csv', https: { files: ['b.csv'] } }, /are for a folder/],
    [{ path: 'https://host/d/', https: { files: ['b.csv'], manifest: 'c' } }, /either/],
    [{ path: 'https://host/d/', header_value: 'x' }, /Set "host" to "host"/],
    [{ path: 'http://host/d/', https: { host: 'host' }, header_value: 'x' }, /use https/],
    [{ path: 'a.csv', https: {} }, /begins with https/],
  ];
  for (const [config, message] of CASES) {
    const { success, error } = csvDriver.config.safeParse(config);
    t.equal(success, false, JSON.stringify(config));
    t.match(error?.issues[0]?.message, message);
  }
  t.ok(
    csvDriver.config.safeParse({ path: 'https://host/d/', https: { host: 'host' }, header_value: 'x' })
      .success,
  );
});
