import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { openSqliteStore } from './sqlite/open-sqlite.ts';
import type { Store } from './store.ts';
import { StoreOpenError } from './store-open-error.ts';

/** Where the state lives: `localdb` is a SQLite file, `serverdb` a PostgreSQL database. */
export type StateSettings =
  | { readonly kind: 'localdb'; readonly path: string; readonly cacheMb?: number }
  | { readonly kind: 'serverdb'; readonly url: string; readonly poolMax: number };

/**
 * Opens the state store and migrates it to the newest schema. Servers that start together on one store wait for each other.
 * `NOT_READY` if the store cannot be reached or was written by a newer version.
 */
export async function openStore(
  settings: StateSettings,
  logger: Logger,
  crashAt: string | null = null,
): Promise<Store> {
  try {
    if (settings.kind === 'localdb')
      return await openSqliteStore(settings.path, logger, crashAt, settings.cacheMb);
    // Its client is loaded only when it is needed.
    const { openPostgresStore } = await import('./postgres/open-postgres.ts');
    return await openPostgresStore(settings.url, settings.poolMax, logger, crashAt);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new StoreOpenError(settings, cause);
  }
}
