import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import mysql from 'mysql2/promise';
import { findProgram } from './find-program.ts';
import { sharedServerUrl } from './shared-server.ts';

interface Teardown {
  teardown(fn: () => unknown): void;
}

/** The server's program and what makes its data folder: `MARIADBD_PATH`, else on the PATH, else where Debian has it; null for none. */
export function findMariadb(): { readonly server: string; readonly installer: string } | null {
  const server =
    findProgram(process.env['MARIADBD_PATH'], ['mariadbd']) ?? findProgram('/usr/sbin/mariadbd', []);
  if (server === null) return null;
  const name = 'mariadb-install-db';
  const beside = join(dirname(server), '..', 'bin', name);
  const installer = findProgram(beside, []) ?? findProgram(undefined, [name]);
  return installer === null ? null : { server, installer };
}

/** Why tests of MySQL are skipped, or false where they run. */
export function withoutMariadb(): false | string {
  if (process.env['HEADGATE_TEST_MYSQL_URL'] || findMariadb() !== null) return false;
  return 'there is no mariadbd on the PATH; install mariadb-server, or set MARIADBD_PATH or HEADGATE_TEST_MYSQL_URL';
}

/** URL of an administrator on a running server: `HEADGATE_TEST_MYSQL_URL` where it is set, else the checkout's (about 5 s to start). */
export async function mariadbUrl(): Promise<string> {
  const given = process.env['HEADGATE_TEST_MYSQL_URL'];
  if (given !== undefined && given !== '') return given;
  const program = join(import.meta.dirname, 'mariadb-server.ts');
  return sharedServerUrl({ engine: 'mariadb', program, answers });
}

/** A new database, with a user that may do what it likes in it and nothing elsewhere; both are dropped when the test ends. */
export async function createMariadbDatabase(
  t: Teardown,
): Promise<{ readonly url: string; readonly name: string }> {
  const url = new URL(await mariadbUrl());
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const admin = url.href;
  await administer(
    admin,
    `CREATE DATABASE ${name} CHARACTER SET utf8mb4`,
    `CREATE USER ${name} IDENTIFIED BY 'password'`,
    `GRANT ALL ON ${name}.* TO ${name}`,
  );
  t.teardown(() => administer(admin, `DROP DATABASE IF EXISTS ${name}`, `DROP USER IF EXISTS ${name}`));
  url.username = name;
  url.password = 'password';
  url.pathname = `/${name}`;
  return { url: url.href, name };
}

async function administer(url: string, ...statements: readonly string[]): Promise<void> {
  const connection = await mysql.createConnection(url);
  try {
    for (const sql of statements) await connection.query(sql);
  } finally {
    await connection.end();
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await administer(url, 'DO 1');
    return true;
  } catch {
    return false;
  }
}
