import { createHash, type Hash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { makePrivateFile } from '../../base/files/private-files.ts';

/** `HgBk`, in the file's header. Source: https://sqlite.org/pragma.html#pragma_application_id. */
const APPLICATION_ID = 0x48_67_42_6b;
const FORMAT_VERSION = 1;
export const PART_BYTES_MAX = 4 * 1_048_576;

const SQLITE_NOTADB = 26;

const TABLES = `
  create table backup (manifest text not null, parts integer not null, sha256 text not null);
  create table parts (
    id integer primary key, entry text not null, bytes integer not null, sha256 text not null, content blob not null);`;

const manifestSchema = z.object({
  headgate_version: z.string(),
  created_at: z.string(),
  /** Which engine the backup is of, and is for. */
  store: z.enum(['localdb', 'serverdb']),
  /** The schema of what is in it. */
  migrations: z.array(z.string()),
  /** Of PostgreSQL: the columns of each table, in the order of its rows, and the last number that was given out. */
  tables: z.record(z.string(), z.array(z.string())).default({}),
  sequences: z.record(z.string(), z.number()).default({}),
  /** Of PostgreSQL: the days of which there are log lines. */
  log_days: z.array(z.number()).default([]),
});

/** What a backup says of itself. */
export type BackupManifest = z.infer<typeof manifestSchema>;

/**
 * Writes a backup: a SQLite file whose table `parts` holds the pieces of each entry in order, each compressed (zstd) and with its
 * SHA-256, and whose table `backup` holds the manifest, the number of parts and the SHA-256 of all their digests. It appears under
 * its name when it is complete.
 */
export class BackupWriter {
  readonly #path: string;
  readonly #aside: string;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #digest: Hash = createHash('sha256');
  #parts = 0;

  constructor(path: string) {
    this.#path = path;
    this.#aside = `${path}.part`;
    rmSync(this.#aside, { force: true });
    makePrivateFile(this.#aside);
    this.#database = new DatabaseSync(this.#aside);
    this.#database.exec(
      `pragma page_size = 32768; pragma journal_mode = off; pragma synchronous = off;
       pragma application_id = ${APPLICATION_ID}; pragma user_version = ${FORMAT_VERSION}; ${TABLES}`,
    );
    this.#insert = this.#database.prepare('insert into parts values (null, ?, ?, ?, ?)');
  }

  /** A piece of at most `PART_BYTES_MAX`, after the earlier ones of the same entry. */
  add(entry: string, piece: Uint8Array): void {
    const content = zstdCompressSync(piece);
    const sha256 = sha256Of(content);
    this.#insert.run(entry, piece.byteLength, sha256, content);
    this.#digest.update(`${entry} ${sha256}\n`);
    this.#parts += 1;
  }

  finish(manifest: BackupManifest): void {
    this.#database
      .prepare('insert into backup values (?, ?, ?)')
      .run(JSON.stringify(manifest), this.#parts, this.#digest.digest('hex'));
    this.#database.close();
    const file = openSync(this.#aside, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(this.#aside, this.#path);
  }

  /** Leaves nothing behind. */
  abort(): void {
    if (this.#database.isOpen) this.#database.close();
    rmSync(this.#aside, { force: true });
  }
}

/** A backup that is opened to be restored. Whatever is wrong with the file is a `VALIDATION_ERROR` in words. */
export class BackupReader {
  readonly manifest: BackupManifest;
  /** Of the contents, before they were compressed. */
  readonly bytes: number;
  readonly #database: DatabaseSync;
  readonly #name: string;

  constructor(path: string) {
    this.#name = basename(path);
    if (!existsSync(path)) throw new AppError('NOT_FOUND', `There is no file "${path}"`);
    this.#database = new DatabaseSync(path, { readOnly: true });
    try {
      const { manifest, bytes } = this.#checked();
      this.manifest = manifest;
      this.bytes = bytes;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The names of the entries, in the order in which they were written. */
  get entries(): string[] {
    const rows = this.#database.prepare('select entry from parts group by entry order by min(id)').all();
    return rows.map((row) => String(row['entry']));
  }

  /** The pieces of an entry, each compared with its digest. */
  *pieces(entry: string): Generator<Uint8Array> {
    const rows = this.#database
      .prepare('select bytes, sha256, content from parts where entry = ? order by id')
      .iterate(entry);
    for (const row of rows) {
      const content = row['content'] as Uint8Array;
      if (sha256Of(content) !== row['sha256']) throw this.#damaged();
      const piece = zstdDecompressSync(content, { maxOutputLength: PART_BYTES_MAX });
      if (piece.byteLength !== row['bytes']) throw this.#damaged();
      yield piece;
    }
  }

  close(): void {
    this.#database.close();
  }

  #checked() {
    let id: unknown;
    try {
      id = this.#database.prepare('pragma application_id').get()?.['application_id'];
    } catch (cause) {
      throw (cause as { errcode?: number }).errcode === SQLITE_NOTADB
        ? this.#foreign()
        : this.#damaged(cause);
    }
    if (id !== APPLICATION_ID) throw this.#foreign();
    const version = Number(this.#database.prepare('pragma user_version').get()?.['user_version']);
    if (version > FORMAT_VERSION) throw this.#newer();
    try {
      return this.#complete();
    } catch (cause) {
      throw cause instanceof AppError ? cause : this.#damaged(cause);
    }
  }

  #complete() {
    const row = this.#database.prepare('select manifest, parts, sha256 from backup').get();
    const digest = createHash('sha256');
    let parts = 0;
    let bytes = 0;
    for (const part of this.#database
      .prepare('select entry, sha256, bytes from parts order by id')
      .iterate()) {
      digest.update(`${part['entry']} ${part['sha256']}\n`);
      parts += 1;
      bytes += Number(part['bytes']);
    }
    if (row === undefined || parts !== row['parts'] || digest.digest('hex') !== row['sha256'])
      throw this.#damaged();
    return { manifest: manifestSchema.parse(JSON.parse(String(row['manifest']))), bytes };
  }

  #foreign(): AppError {
    return new AppError('VALIDATION_ERROR', `"${this.#name}" is not a backup that \`headgate backup\` made`);
  }

  #newer(): AppError {
    const message = `"${this.#name}" was made by a newer version of Headgate: restore it with that version`;
    return new AppError('VALIDATION_ERROR', message);
  }

  #damaged(cause?: unknown): AppError {
    const message = `"${this.#name}" is damaged or incomplete: its contents do not match their digests`;
    return new AppError('VALIDATION_ERROR', message, { cause });
  }
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
