import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';

import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { freePort } from './free-port.ts';
import { findMariadb } from './mariadb.ts';

const START_TRIES_MAX = 600;

/** A server with settings of its own, such as `{ 'sql-mode': 'ANSI' }`; ended with the test. Gives the URL of a database in it. */
export async function startMariadb(
  t: { teardown(fn: () => unknown): void },
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const found = findMariadb();
  if (found === null) throw new Error('There is no MariaDB on this machine');
  const folder = mkdtempSync(join(tmpdir(), 'hg-maria-'));
  const port = await freePort();
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const data = [`--datadir=${join(folder, 'data')}`, ...user];
  const auth = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  execFileSync(found.installer, ['--no-defaults', ...auth, ...data], { stdio: 'ignore' });
  const given = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const where = [`--socket=${join(folder, 's.sock')}`, `--pid-file=${join(folder, 'pid')}`, `--port=${port}`];
  const quick = ['--bind-address=127.0.0.1', '--local-infile=1', '--innodb-flush-log-at-trx-commit=0'];
  const server = spawn(found.server, ['--no-defaults', ...data, ...where, ...quick, ...given], {
    stdio: 'ignore',
  });
  t.teardown(async () => {
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const root = await connected(join(folder, 's.sock'));
  try {
    for (const sql of [
      'CREATE DATABASE own CHARACTER SET utf8mb4',
      `CREATE USER headgate IDENTIFIED BY 'password'`,
      'GRANT ALL ON *.* TO headgate WITH GRANT OPTION',
      `DROP USER IF EXISTS ''@localhost, ''@'${hostname()}'`,
    ])
      await root.query(sql);
  } finally {
    await root.end();
  }
  return `mysql://headgate:password@127.0.0.1:${port}/own`;
}

async function connected(socketPath: string): Promise<mysql.Connection> {
  for (let tries = 1; ; tries++) {
    try {
      return await mysql.createConnection({ socketPath, user: 'root' });
    } catch (error) {
      if (tries === START_TRIES_MAX) throw error;
    }
    await delay(50);
  }
}
