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
