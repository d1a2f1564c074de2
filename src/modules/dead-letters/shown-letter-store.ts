import { sql } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import { onPage } from '../../store/lists/keyset.ts';
import type { Db } from '../../store/store.ts';
import { ofJobsLabelled } from '../definitions/label-store.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';

/** Each is optional; all must hold. */
export interface LetterFilters {
  readonly job_id?: number | undefined;
  readonly run_id?: number | undefined;
  readonly status?: string | undefined;
  readonly code?: string | undefined;
  /** Of the job. */
  readonly label?: readonly string[] | undefined;
}

/** Letters of every run, with the names of their task and job; one row more than the page. */
export async function selectShownLetters(db: Db, filters: LetterFilters, paging: Paging) {
  return onPage(matching(db, filters), paging).execute();
}

/** One of them; null where there is none. */
export async function selectShownLetter(db: Db, id: number) {
  return (await matching(db, {}).where('dead_letters.id', '=', id).executeTakeFirst()) ?? null;
}

function matching(db: Db, { job_id, run_id, status, code, label = [] }: LetterFilters) {
  let letters = db
    .selectFrom('dead_letters')
    .selectAll()
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('runs').select('runs.id').whereRef('runs.id', '=', 'dead_letters.run_id')),
    )
    .where(notOfDeletedJob('dead_letters.job_id'));
  if (job_id !== undefined) letters = letters.where('job_id', '=', job_id);
  if (run_id !== undefined) letters = letters.where('run_id', '=', run_id);
  // Written out for `open`: so the engines take the index of open letters. Of a job or a run they take the one that has both.
  if (status === 'open') letters = letters.where(sql<boolean>`status = 'open'`);
  else if (status !== undefined && (job_id ?? run_id) !== undefined)
    letters = letters.where('status', '=', status);
  else if (status !== undefined) letters = letters.where(sql<string>`coalesce(status, '')`, '=', status);
  // This list alone has indexes of these expressions.
  if (code !== undefined) letters = letters.where(sql<string>`coalesce(code, '')`, '=', code);
  for (const isLabelled of ofJobsLabelled('dead_letters.job_id', label)) letters = letters.where(isLabelled);
  return letters.select((eb) => [
    eb.selectFrom('jobs').select('jobs.name').whereRef('jobs.id', '=', 'dead_letters.job_id').as('job_name'),
    eb
      .selectFrom('runs')
      .select('runs.task_name')
      .whereRef('runs.id', '=', 'dead_letters.run_id')
      .as('run_task_name'),
  ]);
}

/** Open letters of one reason, of a job or, without one, of a run. */
export interface LetterReason {
  readonly job_id: number | null;
  readonly job_name: string | null;
  readonly run_id: number | null;
  readonly code: string;
  readonly open: number;
  readonly message: string;
  readonly newest_at: number;
}

/** The reasons of the newest `lettersMax` open letters, the most frequent first, and how many letters were counted. */
export async function selectLetterReasons(
  db: Db,
  { job_id, run_id, label = [] }: Pick<LetterFilters, 'job_id' | 'run_id' | 'label'>,
  { lettersMax, reasonsMax }: { readonly lettersMax: number; readonly reasonsMax: number },
): Promise<LetterReason[]> {
  const owner = [
    ...(job_id === undefined ? [] : [sql`and job_id = ${job_id}`]),
    ...(run_id === undefined ? [] : [sql`and run_id = ${run_id}`]),
    ...ofJobsLabelled('dead_letters.job_id', label).map((condition) => sql`and ${condition}`),
  ];
  const { rows } = await sql<LetterReason>`
    select reason.job_id, jobs.name as job_name, reason.run_id, reason.code, reason.open, newest.message, newest.created_at as newest_at
    from (
      select job_id, case when job_id is null then run_id end as run_id, code, count(*) as open, max(id) as newest_id
      from (
        select id, job_id, run_id, code from dead_letters
        where status = 'open' and exists (select 1 from runs where runs.id = dead_letters.run_id)
          and ${notOfDeletedJob('dead_letters.job_id')} ${sql.join(owner, sql` `)}
        order by id desc limit ${lettersMax}
      ) as letter
      group by job_id, case when job_id is null then run_id end, code
    ) as reason
    join dead_letters as newest on newest.id = reason.newest_id
    left join jobs on jobs.id = reason.job_id
    order by reason.open desc, reason.newest_id desc limit ${reasonsMax}`.execute(db);
  return rows;
}
