import { resolve } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import type { Config } from '../../config.ts';
import { createTablesInside } from '../../metering/serverdb/serverdb-tables.ts';
import { type BackupManifest, BackupReader } from '../../store/backup/backup-file.ts';
import { restorePostgres } from '../../store/backup/postgres-restore.ts';
import { filesInTheWay, requireClosed, restoreSqlite } from '../../store/backup/sqlite-restore.ts';
import { migrationStatus } from '../../store/migration-status.ts';
import { logMigrations, stateMigrations } from '../../store/migrations/migrations.ts';
import { openStore, type StateSettings } from '../../store/open-store.ts';
import type { Db } from '../../store/store.ts';
import { requireKey } from '../keys/server-keys.ts';
import { serverHeardMs } from '../keys/server-presence.ts';
import { stateSettingsOf } from '../state-settings.ts';
import type { BackupProgress } from './create-backup.ts';

export interface RestoreOptions extends BackupProgress {
  /** Replaces what is there. */
  readonly force: boolean;
}

type Settings<K> = Extract<StateSettings, { readonly kind: K }>;

/**
 * Restores a backup to where the settings say that the state lives, all of it or nothing. Refuses a backup that is damaged, newer or of
 * the other engine, a store that is there (without `force`) or in use, and a master key that is not the backup's.
 */
export async function restoreBackup(
  path: string,
  config: Config,
  options: RestoreOptions,
): Promise<BackupManifest> {
  const reader = new BackupReader(path);
  try {
    const settings = stateSettingsOf(config);
    requireFitting(reader.manifest, settings);
    let done = 0;
    const onBytes = (bytes: number) => {
      done += bytes;
      options.onProgress(done, reader.bytes);
    };
    const prove = (db: Db) => requireKey(db, config);
    if (settings.kind === 'localdb')
      await restoreFiles({ reader, settings, config, options, prove, onBytes });
    else {
      await requireFreeDatabase(settings, options);
      await restorePostgres(settings.url, reader, {
        createMetricsTables: createTablesInside,
        prove,
        onBytes,
      });
    }
    return reader.manifest;
  } finally {
    reader.close();
  }
}

function requireFitting(
  { store, migrations, headgate_version }: BackupManifest,
  { kind }: StateSettings,
): void {
  const names = { localdb: 'SQLite files', serverdb: 'a PostgreSQL database' };
  if (store !== kind)
    throw new AppError(
      'VALIDATION_ERROR',
      `The backup is of ${names[store]}, and the settings name ${names[kind]}: ${store === 'localdb' ? 'unset SVC_STATE_URL' : 'set SVC_STATE_URL'}`,
    );
  const known = new Set([...Object.keys(stateMigrations), ...Object.keys(logMigrations)]);
  const unknown = migrations.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new AppError(
      'VALIDATION_ERROR',
      `The backup was made by a newer version (${headgate_version}), with a schema that this one does not know: restore it with that version`,
    );
}

interface FilesRestore {
  readonly reader: BackupReader;
  readonly settings: Settings<'localdb'>;
  readonly config: Config;
  readonly options: RestoreOptions;
  readonly prove: (db: Db) => Promise<void>;
  readonly onBytes: (bytes: number) => void;
}

async function restoreFiles({ reader, settings, config, options, prove, onBytes }: FilesRestore) {
  const place = { statePath: settings.path, metricsPath: config.metrics.path };
  const [first] = filesInTheWay(place, reader.entries);
  if (first !== undefined && !options.force) throw alreadyThere(`"${first}"`);
  requireClosed(resolve(settings.path));
  const proveFiles = async (path: string) => {
    const store = await openStore({ kind: 'localdb', path }, silentLogger);
    try {
      await prove(store.read);
    } finally {
      await store.close();
    }
  };
  await restoreSqlite(reader, place, proveFiles, onBytes);
}

async function requireFreeDatabase(settings: Settings<'serverdb'>, { force }: RestoreOptions): Promise<void> {
  const { applied, pending } = await migrationStatus(settings);
  if (applied.length === 0) return;
  if (!force) throw alreadyThere('in the database of SVC_STATE_URL');
  // Opening it would migrate it; a server of another version says that it runs in the same way.
  if (pending.length > 0) return;
  const store = await openStore(settings, silentLogger);
  try {
    const heardMs = await serverHeardMs(store.read, Date.now());
    if (heardMs !== null)
      throw new AppError(
        'CONFLICT',
        `A server runs on this database (heard from ${Math.round(heardMs / 1_000)} s ago): stop every server before you restore. One that was killed counts for three minutes`,
      );
  } finally {
    await store.close();
  }
}

function alreadyThere(where: string): AppError {
  const message = `There is a state store already: ${where}. --force replaces it; back it up before`;
  return new AppError('CONFLICT', message);
}
