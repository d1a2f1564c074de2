import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';
import { type ListedTable, listIndexes } from '../list-indexes.ts';

const TIMES = ['created_at', 'updated_at'];
const NAME_AND_TIMES = ['name', ...TIMES];

const LISTS: readonly ListedTable[] = [
  { table: 'tasks', filters: ['status'], sorts: TIMES, unique: ['name'] },
  { table: 'job_templates', filters: ['status'], sorts: TIMES, unique: ['name'] },
  { table: 'connectors', filters: ['type'], sorts: TIMES, unique: ['name'] },
  { table: 'users', filters: ['role', 'status'], sorts: NAME_AND_TIMES, unique: ['email'] },
  { table: 'jobs', filters: ['status', 'job_template_id'], sorts: NAME_AND_TIMES },
  { table: 'dashboards', filters: ['job_id'], sorts: NAME_AND_TIMES },
  { table: 'triggers', filters: ['job_id', 'enabled'], sorts: NAME_AND_TIMES },
  { table: 'webhooks', filters: ['enabled'], sorts: NAME_AND_TIMES },
];

/** Lists of definitions are read by an index in their order, whatever they are filtered and sorted by. */
export const addDefinitionIndexes: Migrate = (db, dialect) =>
  executeAll(db, dialect, listIndexes(dialect, LISTS));
