import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { mongodbDriver } from '../../src/drivers/mongodb/driver.ts';
import { mysqlDriver } from '../../src/drivers/mysql/driver.ts';
import { postgresDriver } from '../../src/drivers/postgres/driver.ts';
import { contextOf, fault, never } from './sql/engines.ts';

const PEM = readFileSync(join(import.meta.dirname, '../protocol/fixtures/tls/ca.pem'), 'utf8');

t.test('certificates that are none are told before anything is sent', async (t) => {
  const base = { host: '127.0.0.1', port: 1, database: 'd', ssl: 'verify-full' };
  for (const driver of [postgresDriver, mysqlDriver, mongodbDriver]) {
    const tested = async (ca: string) => {
      const connection = await driver.connect(
        { ...base, ca },
        { ...contextOf('/'), outbound: { policy: 'allowlist', allow: ['127.0.0.1'], ownPorts: [] } },
      );
      t.teardown(() => connection.close());
      await connection.test(never);
    };
    for (const ca of [
      '/etc/ssl/our-ca.pem',
      '-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----',
    ])
      await t.rejects(tested(ca), fault('CONFIG', /^The "ca" must be certificates as PEM text/));
    await t.rejects(tested(PEM), fault('UNAVAILABLE'), 'nothing listens there');
  }
});
