import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import ssh2, { type Algorithms, type Client, type SFTPWrapper } from 'ssh2';
import { createOutbound, type Outbound } from '../../../base/outbound/outbound.ts';
import { outboundRules } from '../../../base/outbound/outbound-policy.ts';
import { type ConnectContext, ConnectorError } from '../../driver.ts';
import { type PinnedKey, pinnedKey, type SftpConfig, type SftpPlace } from './sftp-config.ts';
import { sftpFault } from './sftp-fault.ts';

type Callback<T> = (error: Error | null | undefined, value: T) => void;
type HostKeyAlgorithms = NonNullable<Algorithms['serverHostKey']>;

const GOODBYE_MS = 1_000;

interface Opened {
  readonly client: Client;
  readonly socket: Socket;
  readonly sftp: SFTPWrapper;
}

/**
 * One connection to an SFTP server, made for the first request and again after it was lost. Nothing is sent to a server that shows
 * another key than the pinned ones. Every answer is waited for a bounded time; a server that stalls loses the connection.
 */
export class SftpSession {
  readonly #config: SftpConfig;
  readonly #place: SftpPlace;
  readonly #outbound: Outbound;
  readonly #connectTimeoutMs: number;
  readonly #answerMs: number;
  readonly #pinned: readonly PinnedKey[];
  #opened: Promise<Opened> | null = null;

  constructor(config: SftpConfig, place: SftpPlace, context: ConnectContext) {
    const access = context.outbound ?? { policy: 'allowlist' as const, allow: [], ownPorts: [] };
    this.#config = config;
    this.#place = place;
    this.#outbound = createOutbound({ rules: outboundRules(access, access.ownPorts) });
    this.#connectTimeoutMs = context.connectTimeoutMs;
    this.#answerMs = (config.sftp?.timeout_seconds ?? 0) * 1_000;
    this.#pinned = [config.sftp?.host_key ?? []].flat().flatMap((text) => pinnedKey(text) ?? []);
  }

  /** One request. `doing` and `name` are for messages; rejects with a `ConnectorError`. */
  async ask<T>(
    doing: string,
    name: string | null,
    send: (sftp: SFTPWrapper, callback: Callback<T>) => void,
  ): Promise<T> {
    try {
      const opened = await this.#open();
      return await this.#answer(opened, (callback) => send(opened.sftp, callback));
    } catch (error) {
      throw sftpFault(error, doing, name);
    }
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    this.#opened = null;
    if (opened) await ended(opened);
    await this.#outbound.close();
  }

  #answer<T>({ client }: Pick<Opened, 'client'>, send: (callback: Callback<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const lost = () => finish(new ConnectorError('UNAVAILABLE', 'The SFTP server closed the connection'));
      const timer = setTimeout(() => {
        client.destroy();
        const message = `The SFTP server did not respond within ${this.#answerMs / 1_000} seconds`;
        finish(new ConnectorError('UNAVAILABLE', message));
      }, this.#answerMs);
      const finish = (error: Error | null | undefined, value?: T) => {
        clearTimeout(timer);
        client.off('close', lost);
        if (error) reject(error);
        else resolve(value as T);
      };
      client.on('close', lost);
      send(finish);
    });
  }

  #open(): Promise<Opened> {
    if (this.#opened !== null) return this.#opened;
    const opening = this.#connect();
    this.#opened = opening;
    const forget = () => {
      if (this.#opened === opening) this.#opened = null;
    };
    opening.then(({ client }) => client.once('close', forget), forget);
    return opening;
  }

  async #connect(): Promise<Opened> {
    const client = new ssh2.Client();
    // Beside many readers of one connection, each with its own answers to come.
    client.setMaxListeners(0);
    const { host, port } = this.#place;
    // A request is small, and the next one waits for its answer.
    const socket = this.#outbound.socket().connect({ host, port }).setNoDelay(true);
    try {
      await this.#signIn(client, socket);
      const sftp = await this.#answer<SFTPWrapper>({ client }, (callback) => client.sftp(callback));
      return { client, socket, sftp };
    } catch (error) {
      // The client leaves a socket to its peer that it has said goodbye to.
      socket.destroy();
      throw error;
    }
  }

  #signIn(client: Client, socket: Socket): Promise<void> {
    const { password, private_key: privateKey, passphrase, sftp } = this.#config;
    const types = this.#pinned.flatMap(({ type }) => type ?? []);
    return new Promise((resolve, reject) => {
      let refused: Error | null = null;
      client.once('ready', resolve);
      client.on('error', (error) => reject(refused ?? error));
      client.once('close', () =>
        reject(refused ?? new ConnectorError('UNAVAILABLE', 'The SFTP server closed the connection')),
      );
      client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
        answer(prompts.map(() => password ?? '')),
      );
      client.connect({
        sock: socket,
        username: sftp?.user ?? '',
        readyTimeout: this.#connectTimeoutMs,
        tryKeyboard: password !== undefined,
        ...(password !== undefined && { password }),
        ...(privateKey !== undefined && { privateKey }),
        ...(passphrase !== undefined && { passphrase }),
        ...(types.length === this.#pinned.length && { algorithms: { serverHostKey: algorithmsOf(types) } }),
        hostVerifier: (key: Buffer) => {
          if (this.#pinned.some((pinned) => isPinned(pinned, key))) return true;
          refused = new ConnectorError(
            'CONFIG',
            `The server presents another host key than "host_key" of "sftp": SHA256:${fingerprintOf(key)}`,
          );
          return false;
        },
      });
    });
  }
}

/** Says goodbye; a server that does not close the connection then loses it. */
async function ended({ client, socket }: Opened): Promise<void> {
  if (socket.closed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => socket.destroy(), GOODBYE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    client.end();
  });
}

/** An RSA key signs by newer algorithms than its own name. */
function algorithmsOf(types: readonly string[]): HostKeyAlgorithms {
  const names = types.flatMap((type) => (type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256'] : [type]));
  return [...new Set(names)] as HostKeyAlgorithms;
}

function fingerprintOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64').replace(/=+$/, '');
}

function isPinned({ fingerprint, key }: PinnedKey, shown: Buffer): boolean {
  return key === null ? fingerprint === fingerprintOf(shown) : key.equals(shown);
}
