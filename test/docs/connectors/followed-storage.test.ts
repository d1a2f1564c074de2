// Long list: it follows the pages with programs and servers; quick: test/docs/connectors/followed.test.ts, test/drivers/files/sftp/sftp.test.ts, test/drivers/files/s3/read.test.ts, test/drivers/files/s3/load.test.ts.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createBucket, S3_KEY, withoutS3 } from '../../support/object-storage.ts';
import { startSftpServer, withoutSftp } from '../../support/sftp-server.ts';
import { follow } from './follow.ts';

const FIRST = 'id,total\n1,2.50\n';

t.test('sftp', { skip: withoutSftp() }, async (t) => {
  const server = await startSftpServer(t);
  const orders = join(server.folder, 'outgoing/orders/2026/01');
  const incoming = join(server.folder, 'incoming');
  mkdirSync(orders, { recursive: true });
  mkdirSync(incoming);
  writeFileSync(join(orders, 'a.csv'), FIRST);
  const { sftp, private_key } = server.config('');
  const { again } = await follow(t, 'sftp', {
    replaced: {
      'sftp://files.example.com': `sftp://127.0.0.1:${server.port}${server.folder}`,
      'user: acme': `user: ${sftp['user']}`,
      'SHA256:uNiVztksCsDhcc0u9e8BrVXT1Y6pVpD3l6Vd3cWJp9A': String(sftp['host_key']),
      '"$(cat ~/.ssh/acme)"': `'${private_key}'`,
    },
  });
  const written = () => linesOf(readFileSync(join(incoming, 'new-orders.ndjson'), 'utf8'));
  t.match(written(), [{ id: 1, total: 2.5, file: '2026/01/a.csv', changed_at: /^20/ }]);
  t.equal(await again(), 0, 'nothing is new');
  t.equal(written().length, 1, 'the file stays as it is');
  writeFileSync(join(orders, 'b.csv'), 'id,total\n2,7\n3,8\n');
  t.equal(await again(), 2);
  t.match(written(), [{ id: 2, file: '2026/01/b.csv' }, { id: 3 }]);
  t.strictSame(readdirSync(incoming), ['new-orders.ndjson']);
});

t.test('object-storage', { skip: withoutS3() }, async (t) => {
  const [from, to] = [await createBucket(), await createBucket()];
  await from.put('orders/2026/01/a.csv', FIRST);
  const { again } = await follow(t, 'object-storage', {
    replaced: {
      's3://acme-exports': `s3://${from.bucket}`,
      's3://acme-reports': `s3://${to.bucket}`,
      'region: eu-central-1,': `endpoint: "${from.endpoint}",`,
      'https://minio.example.com': to.endpoint,
      AKIAIOSFODNN7EXAMPLE: S3_KEY.id,
      'access_key_id: reporter': `access_key_id: ${S3_KEY.id}`,
      'secret key of the exports': S3_KEY.secret,
      'secret key of the reports': S3_KEY.secret,
    },
  });
  const written = async () => linesOf((await to.text('daily/new-orders.ndjson')) ?? '');
  t.match(await written(), [{ id: 1, total: 2.5, file: '2026/01/a.csv', changed_at: /^20/ }]);
  t.equal(await again(), 0, 'nothing is new');
  t.equal((await written()).length, 1, 'the file stays as it is');
  await from.put('orders/2026/02/b.csv', 'id,total\n2,7\n3,8\n');
  t.equal(await again(), 2);
  t.match(await written(), [{ id: 2, file: '2026/02/b.csv' }, { id: 3 }]);
  t.strictSame(await to.keys(), ['daily/new-orders.ndjson']);
});

function linesOf(text: string): readonly unknown[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
