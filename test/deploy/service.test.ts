import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const unit = readFileSync(join(import.meta.dirname, '../../deploy/headgate.service'), 'utf8');
const settingOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];

t.test('the service may do what a server needs, and nothing else', async (t) => {
  t.equal(settingOf('User'), 'headgate');
  t.equal(settingOf('CapabilityBoundingSet'), '', 'no capability');
  t.equal(settingOf('ProtectSystem'), 'strict', 'writes to its state alone');
  t.equal(settingOf('StateDirectory'), 'headgate');
  for (const key of [
    'NoNewPrivileges',
    'ProtectHome',
    'PrivateTmp',
    'PrivateDevices',
    'ProtectKernelTunables',
    'ProtectKernelModules',
    'RestrictSUIDSGID',
  ])
    t.equal(settingOf(key), 'yes', key);
  t.equal(
    settingOf('MemoryDenyWriteExecute'),
    undefined,
    'the JavaScript engine writes code and executes it',
  );
  const families = settingOf('RestrictAddressFamilies')?.split(' ') ?? [];
  for (const family of ['AF_UNIX', 'AF_INET', 'AF_INET6', 'AF_NETLINK'])
    t.ok(families.includes(family), family);
});

/** What bounds memory beside the heap, as operations.md shows it. */
const MEMORY = ['MALLOC_ARENA_MAX=2', 'NODE_OPTIONS=--max-semi-space-size=16'];

t.test('the service and the image bound the memory beside the heap, as the documentation says', async (t) => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const image = /^ENV (.*)$/m.exec(read('deploy/Dockerfile'))?.[1]?.split(' ') ?? [];
  const operations = read('docs/operations.md');
  for (const setting of MEMORY) {
    t.ok(settingOf('Environment')?.split(' ').includes(setting), `${setting} in the service`);
    t.ok(image.includes(setting), `${setting} in the image`);
    t.ok(operations.includes(`\`${setting}\``), `${setting} in operations.md`);
  }
});
