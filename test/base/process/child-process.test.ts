import { once } from 'node:events';
import { join, relative } from 'node:path';
import t from 'tap';
import { forkEntry } from '../../../src/base/process/child-process.ts';

const CA = join(import.meta.dirname, '../../protocol/fixtures/tls/ca.pem');

t.test('a child trusts the authorities that this process was given, and gets none of its keys', async (t) => {
  const folder = t.testdir({
    'entry.ts': `import tls from 'node:tls';
process.send?.({ extra: tls.getCACertificates('extra').length, names: Object.keys(process.env) });`,
  });
  const given = {
    NODE_EXTRA_CA_CERTS: relative(process.cwd(), CA),
    NODE_USE_SYSTEM_CA: '1',
    SVC_ENCRYPTION_KEY: 'secret',
  };
  for (const [name, value] of Object.entries(given)) {
    const before = process.env[name];
    process.env[name] = value;
    t.teardown(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
  const child = forkEntry(join(folder, 'entry.ts'), { cwd: folder });
  const [said] = (await once(child, 'message')) as [{ readonly extra: number; readonly names: string[] }];
  t.equal(said.extra, 1);
  t.ok(said.names.includes('NODE_USE_SYSTEM_CA'));
  t.notOk(said.names.includes('SVC_ENCRYPTION_KEY'));
});
