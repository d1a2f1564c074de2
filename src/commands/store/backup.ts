import { statSync } from 'node:fs';
import { createBackup } from '../../app/backup/create-backup.ts';
import { restoreBackup } from '../../app/backup/restore-backup.ts';
import { keyIdOf } from '../../app/keys/server-keys.ts';
import { keyFileOf } from '../../app/own-files.ts';
import { stateSettingsOf } from '../../app/state-settings.ts';
import { AppError } from '../../base/errors.ts';
import type { Config } from '../../config.ts';
import { migrationStatus } from '../../store/migration-status.ts';
import { EXIT } from '../kit/exit-code.ts';
import { withLocalStore } from '../kit/local-store.ts';
import { perform } from '../kit/perform.ts';
import { createProgressBar } from '../kit/progress-bar.ts';
import { requireConfig } from '../kit/require-config.ts';

const MB = 1_048_576;

/** `headgate backup FILE`: state, logs and metrics as they are now, in one file; says which keys must be kept elsewhere. */
export async function backup(path: string, options: { readonly json: boolean }): Promise<number> {
  return perform(options, async (out) => {
    await requireOwnSchema(requireConfig());
    return withLocalStore(async (store, config) => {
      const manifest = await withProgress('backed up', !out.isJson, (onProgress) =>
        createBackup(store, config, path, { onProgress }),
      );
      const { size: bytes } = statSync(path);
      const id = await keyIdOf(store.read);
      const { encryption_key } = config.security;
      const place = encryption_key === null ? keyFileOf(config) : 'SVC_ENCRYPTION_KEY';
      const { headgate_version, created_at } = manifest;
      if (out.isJson)
        out.json({
          file: path,
          bytes,
          headgate_version,
          created_at,
          key: id === null ? null : { id, place },
        });
      out.line(`${path}: ${(bytes / MB).toFixed(1)} MB, state, logs and metrics of ${created_at}`);
      out.line('\nNot included, but required for a restore; keep them separately:');
      if (id !== null) out.line(`  - the master key ${id}: ${place}`);
      out.line('  - the settings (headgate.yaml, SVC_*) with the executor key and TLS keys');
      out.line('  - the files of file connectors');
      return EXIT.ok;
    });
  });
}

/** `headgate restore FILE`: puts a backup where the settings say that the state lives, all of it or nothing. */
export async function restore(
  path: string,
  options: { readonly json: boolean; readonly force: boolean },
): Promise<number> {
  return perform(options, async (out) => {
    const config = requireConfig();
    const { headgate_version, created_at } = await withProgress('restored', !out.isJson, (onProgress) =>
      restoreBackup(path, config, { force: options.force, onProgress }),
    );
    if (out.isJson) out.json({ file: path, headgate_version, created_at });
    out.line(`Restored the backup of ${created_at} (Headgate ${headgate_version}).`);
    out.line(
      'Start the server: runs in progress at the time of the backup are rerun, and pending webhooks are sent.',
    );
    return EXIT.ok;
  });
}

/** Opening a store migrates it: a backup changes nothing. */
async function requireOwnSchema(config: Config): Promise<void> {
  const status = await migrationStatus(stateSettingsOf(config)).catch((cause: unknown) => {
    throw new AppError('NOT_READY', 'The state store cannot be opened', { cause });
  });
  if (status.applied.length > 0 && status.pending.length > 0)
    throw new AppError(
      'CONFLICT',
      'The state store has an older schema: back it up with the older version, or run `headgate migrate` first',
    );
}

async function withProgress<T>(
  done: string,
  isShown: boolean,
  work: (onProgress: (bytes: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const bar = await createProgressBar(isShown);
  try {
    return await work((bytes, total) => bar.update(bytes, total, `${(bytes / MB).toFixed(0)} MB ${done}`));
  } finally {
    bar.stop();
  }
}
