import { sql } from 'kysely';
import type { Db } from '../../store/store.ts';
import { contentOf } from '../run-texts/run-text-store.ts';
import { type ListedRunRow, SHOWN_COLUMNS, type ShownRunRow } from './shown/shown-run.ts';

/** A run of a job run has its configuration: the text is not referred to twice. Those from before have their own. */
const CONFIG = sql<string>`case when runs.job_run_id is null or runs.config_id is not null or runs.config_json <> ''
  then ${contentOf('runs.config_id', 'runs.config_json')}
  else (select ${contentOf('job_runs.config_id', 'job_runs.config_json')} from job_runs where job_runs.id = runs.job_run_id) end`;

const TASKS = sql<string | null>`(select content from run_texts where run_texts.id = runs.tasks_id)`;

/** Rows with their texts, under the names of the columns that had them once: of two equal names the later one counts. */
export function runRows(db: Db) {
  const texts = [
    contentOf('runs.yaml_id', 'runs.yaml_content').as('yaml_content'),
    CONFIG.as('config_json'),
    TASKS.as('tasks_json'),
  ] as const;
  return db.selectFrom('runs').selectAll('runs').select(texts);
}

/** What answers show of them: not the YAML, which may be long. */
export function shownRunRows(db: Db) {
  return db
    .selectFrom('runs')
    .select(SHOWN_COLUMNS.map((name) => `runs.${name}` as const))
    .select([CONFIG.as('config_json'), TASKS.as('tasks_json')])
    .$castTo<ShownRunRow>();
}

/** As `shownRunRows`, with the job of each, by primary key: no page reads more than its own rows. */
export function listedRunRows(db: Db) {
  return shownRunRows(db)
    .select((eb) => {
      const job = eb.selectFrom('jobs').whereRef('jobs.id', '=', 'runs.job_id');
      return [job.select('jobs.name').as('job_name'), job.select('jobs.labels_json').as('job_labels_json')];
    })
    .$castTo<ListedRunRow>();
}
