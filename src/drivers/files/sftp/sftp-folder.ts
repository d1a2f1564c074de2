import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { AbsentResourceError, ConnectorError } from '../../driver.ts';
import type { OpenedFile } from '../storage/file-storage.ts';
import { rangeReads } from '../storage/range-reader.ts';
import { isUnsupported } from './sftp-fault.ts';
import type { SftpSession } from './sftp-session.ts';

/** Bytes of one request; servers give no more at once. */
const REQUEST_BYTES = 32 * 1024;
/** Requests on their way at the same time for one range or load. */
const REQUESTS_MAX = 64;

export interface RemoteStats {
  readonly sizeBytes: number;
  /** Seconds since 1970, as the server's clock says. */
  readonly modified: number;
  readonly mode: number;
  readonly isFile: boolean;
  readonly isFolder: boolean;
}

export interface RemoteEntry extends RemoteStats {
  readonly name: string;
}

function statsOf(stats: Stats | FileEntryWithStats['attrs']): RemoteStats {
  const { size, mtime, mode } = stats;
  // Links are neither: `readdir` and `lstat` tell of them as such.
  const kind = mode & 0o170000;
  return { sizeBytes: size, modified: mtime, mode, isFile: kind === 0o100000, isFolder: kind === 0o040000 };
}

function versionOf({ sizeBytes, modified }: RemoteStats): string {
  return `${sizeBytes}:${modified}`;
}

function noFile(name: string): ConnectorError {
  return new ConnectorError('CONFIG', `"${name}" is not a file: it is a folder, a pipe or a device`);
}

/** Files of a server, by their paths there. `name` is what messages say; all rejects with `ConnectorError`. */
export class SftpFolder {
  readonly #session: SftpSession;

  constructor(session: SftpSession) {
    this.#session = session;
  }

  /** Null where nothing is at that path. */
  async stats(path: string, name: string): Promise<RemoteStats | null> {
    return this.#orNull(async () => {
      const doing = `read "${name}"`;
      return statsOf(await this.#session.ask<Stats>(doing, name, (sftp, done) => sftp.stat(path, done)));
    });
  }

  /** Null for a folder that is not there. */
  async entries(path: string): Promise<readonly RemoteEntry[] | null> {
    return this.#orNull(async () => {
      const found = await this.#session.ask<FileEntryWithStats[]>('list the folder', null, (sftp, done) =>
        sftp.readdir(path, done),
      );
      return found.map(({ filename, attrs }) => ({ name: filename, ...statsOf(attrs) }));
    });
  }

  /** A file for reading; a range that is read after it was changed in place is `UNAVAILABLE`. */
  async open(path: string, name: string): Promise<OpenedFile> {
    const doing = `read "${name}"`;
    // The server would wait for whoever writes into a pipe, and answer nothing meanwhile.
    if ((await this.stats(path, name))?.isFile === false) throw noFile(name);
    const file = await this.#handle(path, name, 'r', doing);
    const statOpen = async () =>
      statsOf(await this.#session.ask<Stats>(doing, name, (sftp, done) => sftp.fstat(file, done)));
    const close = () => this.#session.ask<void>(doing, name, (sftp, done) => sftp.close(file, done));
    const stats = await statOpen();
    if (!stats.isFile) {
      await close();
      throw noFile(name);
    }
    const range = async (from: number, length: number) => {
      const bytes = await this.#range(file, name, from, length);
      if (versionOf(await statOpen()) !== versionOf(stats))
        throw new ConnectorError('UNAVAILABLE', `The file "${name}" changed while it was read`);
      return bytes;
    };
    const { sizeBytes } = stats;
    return {
      name,
      path: null,
      // A connection that was lost has closed its files.
      handle: { read: rangeReads(sizeBytes, range), close: () => close().catch(() => undefined) },
      sizeBytes,
      version: versionOf(stats),
    };
  }

  /** A small file as text; null where there is none. */
  async text(path: string, name: string): Promise<string | null> {
    const stats = await this.stats(path, name);
    if (stats === null) return null;
    const { handle } = await this.open(path, name);
    try {
      const bytes = Buffer.alloc(stats.sizeBytes);
      await handle.read(bytes, 0, bytes.length, 0);
      return bytes.toString('utf8');
    } finally {
      await handle.close();
    }
  }

  /** A new file for writing; many requests are on their way at once. `flags`: `wx` fails where it exists. */
  async create(path: string, name: string, flags: 'w' | 'wx'): Promise<RemoteWriter> {
    return new RemoteWriter(this.#session, await this.#handle(path, name, flags, `write "${name}"`), name);
  }

  async chmod(path: string, name: string, mode: number): Promise<void> {
    await this.#session.ask<void>(`write "${name}"`, name, (sftp, done) => sftp.chmod(path, mode, done));
  }

  /** False where there is no such file. */
  async remove(path: string, name: string): Promise<boolean> {
    const removed = await this.#orNull(async () => {
      await this.#session.ask<void>(`write "${name}"`, name, (sftp, done) => sftp.unlink(path, done));
      return true;
    });
    return removed ?? false;
  }

  /** A folder that is there already is one. */
  async makeFolder(path: string, name: string): Promise<void> {
    try {
      await this.#session.ask<void>(`write "${name}"`, name, (sftp, done) => sftp.mkdir(path, done));
    } catch (error) {
      // Servers answer a mere "failure" where it exists.
      if ((await this.stats(path, name))?.isFolder !== true) throw error;
    }
  }

  /** False where it is not empty, or not there. */
  async removeFolder(path: string, name: string): Promise<boolean> {
    try {
      await this.#session.ask<void>(`write "${name}"`, name, (sftp, done) => sftp.rmdir(path, done));
      return true;
    } catch (error) {
      if ((await this.stats(path, name)) === null || ((await this.entries(path)) ?? []).length > 0)
        return false;
      throw error;
    }
  }

  /** Puts a file in the place of another, at once where the server has OpenSSH's extension; false where there is nothing to rename. */
  async replace(from: string, to: string, name: string): Promise<boolean> {
    const doing = `write "${name}"`;
    const renamed = await this.#orNull(async () => {
      try {
        await this.#session.ask<void>(doing, name, (sftp, done) => sftp.ext_openssh_rename(from, to, done));
      } catch (error) {
        if (!isUnsupported(causeOf(error))) throw error;
        await this.remove(to, name);
        await this.#session.ask<void>(doing, name, (sftp, done) => sftp.rename(from, to, done));
      }
      return true;
    });
    return renamed ?? false;
  }

  #handle(path: string, name: string, flags: 'r' | 'w' | 'wx', doing: string): Promise<Buffer> {
    return this.#session.ask<Buffer>(doing, name, (sftp, done) => sftp.open(path, flags, done));
  }

  async #range(file: Buffer, name: string, from: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let read = 0;
    for (let begin = 0; begin < length; begin += REQUEST_BYTES * REQUESTS_MAX) {
      const requests: Promise<number>[] = [];
      const end = Math.min(length, begin + REQUEST_BYTES * REQUESTS_MAX);
      for (let at = begin; at < end; at += REQUEST_BYTES)
        requests.push(this.#piece(file, name, bytes, at, Math.min(REQUEST_BYTES, end - at), from));
      for (const got of await Promise.all(requests)) read += got;
    }
    return bytes.subarray(0, read);
  }

  #piece(
    file: Buffer,
    name: string,
    into: Buffer,
    at: number,
    length: number,
    from: number,
  ): Promise<number> {
    return this.#session.ask<number>(`read "${name}"`, name, (sftp, done) =>
      sftp.read(file, into, at, length, from + at, (error, bytesRead) => {
        // A file that was cut short meanwhile: the comparison of its versions tells.
        if (isEnd(error)) done(null, 0);
        else done(error, bytesRead);
      }),
    );
  }

  async #orNull<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AbsentResourceError) return null;
      throw error;
    }
  }
}

/** The contents of a file that is being written. */
export class RemoteWriter {
  readonly #session: SftpSession;
  readonly #handle: Buffer;
  readonly #name: string;
  readonly #sending = new Set<Promise<void>>();
  #sizeBytes = 0;

  constructor(session: SftpSession, handle: Buffer, name: string) {
    this.#session = session;
    this.#handle = handle;
    this.#name = name;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async write(bytes: string | Uint8Array): Promise<void> {
    // What the caller gives may be written over once this returns.
    const data = Buffer.from(bytes as Uint8Array);
    for (let at = 0; at < data.length; at += REQUEST_BYTES) {
      while (this.#sending.size >= REQUESTS_MAX) await Promise.race(this.#sending);
      const piece = data.subarray(at, at + REQUEST_BYTES);
      const position = this.#sizeBytes;
      this.#sizeBytes += piece.length;
      const sent = this.#ask((sftp, done) =>
        sftp.write(this.#handle, piece, 0, piece.length, position, done),
      ).then(() => {
        this.#sending.delete(sent);
      });
      // A failure stays among them, for the next wait.
      sent.catch(() => undefined);
      this.#sending.add(sent);
    }
  }

  /** Writes what is left, to the server's disk where it can be asked to. */
  async end(): Promise<void> {
    await Promise.all(this.#sending);
    await this.#ask((sftp, done) => sftp.ext_openssh_fsync(this.#handle, done)).catch((error: unknown) => {
      if (!isUnsupported(causeOf(error))) throw error;
    });
    await this.close();
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#sending);
    await this.#ask((sftp, done) => sftp.close(this.#handle, done));
  }

  #ask(send: (sftp: SFTPWrapper, done: (error?: Error | null) => void) => void): Promise<void> {
    return this.#session.ask<void>(`write "${this.#name}"`, this.#name, send);
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof ConnectorError ? (error.cause ?? error) : error;
}

/** The status of a read behind the end of a file. */
function isEnd(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === 1;
}
