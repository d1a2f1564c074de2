/** The process that owns the tests' MariaDB: `node mariadb-server.ts FOLDER`, started by `mariadb.ts`. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findMariadb } from './mariadb.ts';
import { keepServer } from './shared-server.ts';

const START_TRIES_MAX = 600;
const tls = (name: string) => join(import.meta.dirname, '..', 'protocol', 'fixtures', 'tls', `${name}.pem`);
const settings = {
  'bind-address': '127.0.0.1',
  'local-infile': '1',
  'innodb-flush-log-at-trx-commit': '0',
  'innodb-buffer-pool-size': '64M',
  'innodb-fast-shutdown': '2',
  'innodb-flush-method': 'nosync',
  'innodb-doublewrite': '0',
  'sync-frm': '0',
  'max-connections': '300',
  'character-set-server': 'utf8mb4',
  'ssl-ca': tls('ca'),
  'ssl-cert': tls('server'),
  'ssl-key': tls('server-key'),
};

async function untilAccepting(port: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    const socket = createConnection(port, '127.0.0.1');
    try {
      await once(socket, 'data');
      return;
    } catch (error) {
      if (tries === START_TRIES_MAX) throw error;
    } finally {
      socket.destroy();
    }
    await delay(50);
  }
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: node mariadb-server.ts FOLDER');
await keepServer(folder, async (dataFolder, port) => {
  const found = findMariadb();
  if (found === null) throw new Error('There is no MariaDB on this machine');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  execFileSync(
    found.installer,
    [
      '--no-defaults',
      `--datadir=${dataFolder}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...user,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const init = join(dataFolder, 'init.sql');
  writeFileSync(
    init,
    `CREATE USER headgate IDENTIFIED BY 'password';\nGRANT ALL ON *.* TO headgate WITH GRANT OPTION;\n`,
  );
  const socket = join(dataFolder, 'server.sock');
  const given = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const files = [`--socket=${socket}`, `--pid-file=${join(dataFolder, 'server.pid')}`, `--init-file=${init}`];
  const where = [`--datadir=${dataFolder}`, `--port=${port}`, ...files];
  const server = spawn(found.server, ['--no-defaults', ...where, ...given, ...user], { stdio: 'inherit' });
  await untilAccepting(port);
  return {
    url: `mysql://headgate:password@127.0.0.1:${port}`,
    stop: async () => {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
});
process.exit(0);
