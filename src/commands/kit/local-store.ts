import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { stateSettingsOf } from '../../app/state-settings.ts';
import { silentLogger } from '../../base/logger.ts';
import type { Config } from '../../config.ts';
import { migrationStatus } from '../../store/migration-status.ts';
import { openStore, type StateSettings } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { StoreOpenError } from '../../store/store-open-error.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';
import { requireConfig } from './require-config.ts';

/**
 * Opens the state store of the settings, brings it to this version's schema, and closes it after the work. `CommandError` where there
 * is none, unless it `mayBeNew`: it would be made, empty, in whatever folder the command was called.
 */
export async function withLocalStore<T>(
  work: (store: Store, config: Config) => Promise<T>,
  { mayBeNew = false }: { readonly mayBeNew?: boolean } = {},
): Promise<T> {
  const config = requireConfig();
  const settings = stateSettingsOf(config);
  if (!mayBeNew && !(await isThere(settings))) {
    const where =
      settings.kind === 'localdb' ? `at "${resolve(settings.path)}"` : 'in the database of SVC_STATE_URL';
    throw new CommandError(
      EXIT.config,
      `There is no state store ${where}: use the settings of the server (SVC_STATE_PATH or SVC_STATE_URL, or its headgate.yaml). \`headgate serve\` and \`headgate migrate\` create a new one`,
    );
  }
  const store = await openStore(settings, silentLogger);
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

async function isThere(settings: StateSettings): Promise<boolean> {
  try {
    // A file that this user may not see is not one that is missing: only the latter gives undefined here.
    if (settings.kind === 'localdb') return statSync(settings.path, { throwIfNoEntry: false }) !== undefined;
    return (await migrationStatus(settings)).applied.length > 0;
  } catch (cause) {
    throw new StoreOpenError(settings, cause);
  }
}
