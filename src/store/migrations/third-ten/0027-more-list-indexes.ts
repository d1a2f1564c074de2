import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';
import { type ListedTable, listIndexes } from '../list-indexes.ts';

const TIMES = ['created_at', 'updated_at'];
const NAME_AND_TIMES = ['name', ...TIMES];

const LISTS: readonly ListedTable[] = [
  { table: 'ai_references', filters: ['enabled'], sorts: TIMES, unique: ['name'] },
  { table: 'explorer_presets', filters: ['connector_id', 'visibility'], sorts: NAME_AND_TIMES },
  { table: 'api_keys', filters: ['user_id'], sorts: ['name', 'created_at'] },
  { table: 'metrics_configs', filters: [], sorts: NAME_AND_TIMES },
  { table: 'dashboard_templates', filters: ['job_template_id'], sorts: NAME_AND_TIMES, isFiltered: true },
  { table: 'job_config_versions', filters: ['job_id'], sorts: [], isFiltered: true },
];

/** As `0024-definition-indexes`, of the lists that it left out. Indexes that others begin with go. */
export const addMoreListIndexes: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    ...listIndexes(dialect, LISTS),
    ...['dashboard_templates_template', 'dashboards_job', 'triggers_job', 'jobs_template'].map(
      (index) => `drop index ${index}`,
    ),
  ]);
