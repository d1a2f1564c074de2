import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ssh2 from 'ssh2';
import type { Test } from 'tap';
import { lastWords } from '../../src/base/process/child-process.ts';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';

const STARTS_WITHIN = 600;

/** OpenSSH's server: `SSHD_PATH`, else on the PATH, else where Debian has it; null for none. */
function findSshd(): string | null {
  return findProgram(process.env['SSHD_PATH'], ['sshd']) ?? findProgram('/usr/sbin/sshd', []);
}

/** Why tests of SFTP are skipped, or false where they run. */
export function withoutSftp(): false | string {
  if (findSshd() !== null) return false;
  return 'there is no sshd: install openssh-server, or set SSHD_PATH';
}

export interface SftpServer {
  readonly port: number;
  /** The folder that `config` leads to. */
  readonly folder: string;
  /** As `ssh-keyscan` prints it. */
  readonly hostKey: string;
  /** A connector's configuration for a path in the folder. */
  config(path: string): Record<string, unknown> & { readonly sftp: Record<string, unknown> };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  }).then((answered) => {
    socket.destroy();
    return answered === true;
  });
}

/** ssh2 writes one of many keys so that nobody can read it, itself included. */
export function keyPair(): ReturnType<typeof ssh2.utils.generateKeyPairSync> {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}

/** A real server of this user's, with keys of its own, until the test ends. */
export async function startSftpServer(t: Test): Promise<SftpServer> {
  const program = findSshd();
  if (program === null) throw new Error('There is no sshd on this machine');
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'headgate-sshd-')));
  const folder = join(home, 'files');
  mkdirSync(folder);
  // Where it runs as root it separates its privileges in this folder.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const [host, user] = [keyPair(), keyPair()];
  const write = (name: string, text: string) => writeFileSync(join(home, name), text, { mode: 0o600 });
  write('host_key', host.private);
  write('authorized_keys', user.public);
  const port = await freePort();
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(home, 'host_key')}`,
    `AuthorizedKeysFile ${join(home, 'authorized_keys')}`,
    'PidFile none',
    'StrictModes no',
    'PasswordAuthentication no',
    // Beyond ten that have not signed in it drops some by chance.
    'MaxStartups 1000',
    'PermitRootLogin yes',
    'Subsystem sftp internal-sftp',
    'LogLevel ERROR',
  ];
  write('sshd_config', `${settings.join('\n')}\n`);
  const server = spawn(program, ['-D', '-e', '-f', join(home, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = lastWords(server);
  t.teardown(async () => {
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    rmSync(home, { recursive: true });
  });
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries === STARTS_WITHIN || server.exitCode !== null)
      throw new Error(`sshd does not answer: ${said()}`);
    await sleep(20);
  }
  return {
    port,
    folder,
    hostKey: host.public,
    config: (path) => ({
      path: `sftp://127.0.0.1:${port}${folder}/${path}`,
      sftp: { user: userInfo().username, host_key: `[127.0.0.1]:${port} ${host.public}` },
      private_key: user.private,
    }),
  };
}
