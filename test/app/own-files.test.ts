import { linkSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { masterKeysOf } from '../../src/app/keys/server-keys.ts';
import { fileAccessOf } from '../../src/app/own-files.ts';
import { loadConfig } from '../../src/config.ts';
import { ConnectorError } from '../../src/drivers/driver.ts';
import { createFileAccess } from '../../src/drivers/files/local/file-access.ts';

t.test('a file connector over the state folder reaches none of the server’s own files', async (t) => {
  const folder = realpathSync(t.testdir({ 'orders.csv': 'id\n1\n', 'headgate.yaml': '', 'tls.crt': 'c' }));
  for (const file of ['state.db', 'state-logs.db', 'metrics.db', 'tls.key'])
    writeFileSync(join(folder, file), 'x');
  const loaded = loadConfig({
    SVC_STATE_PATH: join(folder, 'state.db'),
    SVC_METRICS_PATH: join(folder, 'metrics.db'),
    SVC_CONFIG_FILE: join(folder, 'headgate.yaml'),
    SVC_GRPC_TLS_CERT: join(folder, 'tls.crt'),
    SVC_GRPC_TLS_KEY: join(folder, 'tls.key'),
    SVC_FILE_ROOTS: folder,
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const [key] = masterKeysOf(loaded.config);
  process.env['SVC_CONFIG_FILE'] = join(folder, 'headgate.yaml');
  t.teardown(() => delete process.env['SVC_CONFIG_FILE']);
  const store = { files: [join(folder, 'state.db'), join(folder, 'state-logs.db')] };
  const context = fileAccessOf(loaded.config, store);
  const files = await createFileAccess({ path: folder, context, extensions: ['.csv'] });
  linkSync(join(folder, 'headgate.key'), join(folder, 'linked.csv'));
  const own = [
    'headgate.key',
    'headgate.yaml',
    'state.db',
    'state-logs.db',
    'state.db-lock',
    'metrics.db',
    'tls.crt',
    'tls.key',
  ];
  for (const name of [...own, 'linked.csv']) {
    await t.rejects(files.open(name), ConnectorError, `${name} is not read`);
    await t.rejects(files.target(name), { message: /belongs to the server/ }, `${name} is not written`);
  }
  t.equal(readFileSync(join(folder, 'headgate.key'), 'utf8').trim(), key);
  const orders = await files.open('orders.csv');
  await orders.handle.close();
});
