import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';
import { nameSearchIndexes } from '../name-search-indexes.ts';

const TABLES: Readonly<Record<string, readonly string[]>> = {
  tasks: ['name'],
  job_templates: ['name'],
  jobs: ['name'],
  connectors: ['name'],
  ai_references: ['name'],
  explorer_presets: ['name'],
  users: ['email', 'name'],
};

/** Indexes for the `q` of lists. */
export const addNameSearch: Migrate = (db, dialect) =>
  executeAll(db, dialect, nameSearchIndexes(dialect, TABLES));
