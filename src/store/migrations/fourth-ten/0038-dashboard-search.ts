import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';
import { nameSearchIndexes } from '../name-search-indexes.ts';

/** Dashboards are searched by name, as the other lists are. */
export const addDashboardSearch: Migrate = (db, dialect) =>
  executeAll(db, dialect, nameSearchIndexes(dialect, { dashboards: ['name'] }));
