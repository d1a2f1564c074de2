import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Connectors that an import created without their secrets keep the names of those that are still to be set. */
export const addOpenSecrets: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table connectors add column open_secret_names_json text not null default '[]'`,
  ]);
