import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { Config } from '../../config.ts';
import { localdbPath } from '../../modules/metrics/localdb-path.ts';
import { type BackupManifest, BackupWriter } from '../../store/backup/backup-file.ts';
import { backupPostgres } from '../../store/backup/postgres-backup.ts';
import {
  type BackupSource,
  backupSqlite,
  bytesOf,
  METRICS_ENTRY,
  sqliteSources,
} from '../../store/backup/sqlite-backup.ts';
import { migrationStatus } from '../../store/migration-status.ts';
import type { Db, Store } from '../../store/store.ts';
import { version } from '../../version.ts';
import { stateSettingsOf } from '../state-settings.ts';

export interface BackupProgress {
  /** `total` is about right. */
  readonly onProgress: (bytes: number, total: number) => void;
}

/**
 * Writes state, logs and metrics as they are at one moment into one file, whether servers run or not. The state store has this version's
 * schema, or it is `CONFLICT`. Master keys are never in it.
 */
export async function createBackup(
  store: Store,
  config: Config,
  path: string,
  { onProgress }: BackupProgress,
): Promise<BackupManifest> {
  if (existsSync(path))
    throw new AppError('CONFLICT', `There is a file "${path}" already: give another name`);
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) throw new AppError('NOT_FOUND', `There is no folder "${folder}"`);
  const settings = stateSettingsOf(config);
  const manifest: BackupManifest = {
    headgate_version: version,
    created_at: new Date().toISOString(),
    store: settings.kind,
    migrations: [...(await migrationStatus(settings)).applied],
    tables: {},
    sequences: {},
    log_days: [],
  };
  let done = 0;
  let total = 1;
  const onBytes = (bytes: number) => {
    done += bytes;
    onProgress(done, total);
  };
  const writer = new BackupWriter(path);
  try {
    if (settings.kind === 'localdb') {
      const sources = sqliteSources(settings.path, await metricsSources(store.read, config));
      total = bytesOf(sources);
      await backupSqlite(sources, writer, path, onBytes);
      writer.finish(manifest);
    } else {
      const onTotal = (bytes: number) => {
        total = bytes;
      };
      const contents = await backupPostgres(settings.url, writer, onBytes, onTotal);
      writer.finish({ ...manifest, ...contents });
    }
  } catch (error) {
    writer.abort();
    throw error;
  }
  return manifest;
}

/** The files that the server's metrics go to. */
async function metricsSources(db: Db, { metrics }: Config): Promise<BackupSource[]> {
  const place = { path: metrics.path, reserved: [] };
  const rows = await db
    .selectFrom('metrics_configs')
    .select('config_json')
    .where('backend', '=', 'localdb')
    .execute();
  const configured = rows.map(({ config_json }) => {
    const { path = metrics.path } = JSON.parse(config_json) as { readonly path?: string };
    return localdbPath(place, path);
  });
  const folder = dirname(resolve(metrics.path));
  return [...new Set([resolve(metrics.path), ...configured])].map((path) => ({
    entry: `${METRICS_ENTRY}${relative(folder, path)}`,
    path,
  }));
}
