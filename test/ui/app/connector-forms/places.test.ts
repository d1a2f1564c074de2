// Long list: it fills in forms of the page in a browser; quick: test/ui/app/config-values.test.ts, test/modules/connectors/connector-routes.test.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { createBucket, S3_KEY, withoutS3 } from '../../../support/object-storage.ts';
import { serve } from '../../../support/served.ts';
import { startSftpServer, withoutSftp } from '../../../support/sftp-server.ts';
import { appTests } from '../../support/app-tests.ts';
import { type FormCase, walkForm } from '../../support/connector-form.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(180_000);
const CSV = 'id,customer\n1,Nord GmbH\n2,Süd AG\n';
const NDJSON = '{"id": 1, "customer": "Nord GmbH"}\n';
const BEARER = 'Bearer correct horse';
const TLS = new URL('../../../protocol/fixtures/tls/', import.meta.url);

/** A key of several lines, and a line of ssh-keyscan. */
async function onSftp(t: Test): Promise<FormCase> {
  const server = await startSftpServer(t);
  writeFileSync(join(server.folder, 'orders.csv'), CSV);
  const config = server.config('');
  const fields = {
    path: String(config['path']),
    'sftp/user': String(config.sftp['user']),
    'sftp/host_key': String(config.sftp['host_key']),
    private_key: String(config['private_key']),
  };
  return {
    title: 'CSV files',
    fields,
    secrets: ['private_key'],
    mistake: ['sftp/user', 'nobody-here', /refused|key/],
    shown: { resource: 'orders.csv', cell: 'Nord GmbH' },
  };
}

async function inBucket(): Promise<FormCase> {
  const { bucket, endpoint, put } = await createBucket();
  await put('2026/orders.ndjson', NDJSON);
  return {
    title: 'JSON files',
    fields: {
      path: `s3://${bucket}/2026/`,
      's3/endpoint': endpoint,
      's3/access_key_id': S3_KEY.id,
      secret_access_key: S3_KEY.secret,
    },
    secrets: ['secret_access_key'],
    mistake: ['secret_access_key', 'wrong horse', /signature|refused|key/i],
    shown: { resource: 'orders.ndjson', cell: 'Nord GmbH' },
  };
}

/** HTTP lists no files: their names are lines. */
async function onWeb(t: Test): Promise<FormCase> {
  const pem = (name: string) => readFileSync(new URL(`${name}.pem`, TLS), 'utf8');
  const server = createServer(
    { cert: pem('server'), key: pem('server-key') },
    ({ url, headers }, response) => {
      const status = headers.authorization !== BEARER ? 401 : url === '/rates/a.csv' ? 200 : 404;
      response.writeHead(status).end(status === 200 ? CSV : '');
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    title: 'CSV files',
    fields: {
      path: `https://${host}/rates/`,
      'https/host': host,
      'https/files': 'a.csv\n',
      header_value: BEARER,
    },
    secrets: ['header_value'],
    mistake: ['header_value', 'Bearer wrong horse', /denies access to "a\.csv" \(401\)/],
    shown: { resource: 'a.csv', cell: 'Nord GmbH' },
  };
}

await appTests(async (open) => {
  const served = await serve(t, {
    SVC_OUTBOUND_ALLOW: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('ca.pem', TLS)),
  });
  const walk = { open, served, profile: await servedProfile(served) };
  t.test('an SFTP server', { skip: withoutSftp() }, async (t) => walkForm(t, walk, await onSftp(t)));
  t.test('object storage', { skip: withoutS3() }, async (t) => walkForm(t, walk, await inBucket()));
  t.test('a web server', async (t) => walkForm(t, walk, await onWeb(t)));
});
