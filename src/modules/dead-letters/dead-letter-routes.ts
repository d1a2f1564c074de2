import { z } from 'zod';
import { type Clock, timestamp } from '../../base/clock.ts';
import { requireFound } from '../../base/errors.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { member } from '../../http/access.ts';
import { type Paging, pageQuery, sortable } from '../../http/paging.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { type Actor, actorOf } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { labelFilter } from '../definitions/label.ts';
import { type DeadLetterOwner, requireOwner } from './dead-letter-owner.ts';
import { type DeadLetterRow, discardDeadLetters, selectDeadLetters } from './dead-letter-store.ts';
import { selectLetterReasons, selectShownLetter, selectShownLetters } from './shown-letter-store.ts';

/** `open` → `replaying` → `replayed`, or `open` again; or `open` → `discarded`. */
const DEAD_LETTER_STATUSES = ['open', 'replaying', 'replayed', 'discarded'] as const;

const IDS_MAX = 1_000;
const CODE_LENGTH_MAX = 200;
/** Open letters that the list of reasons counts, and its length. */
const COUNTED_MAX = 10_000;
const REASONS_MAX = 100;

const id = z.coerce.number().int().positive().optional();
export const letterCode = z.string().min(1).max(CODE_LENGTH_MAX).optional();

const deadLetter = z
  .object({
    id: z.number().int(),
    run_id: z.number().int(),
    job_id: z.number().int().nullable(),
    attempt: z.number().int(),
    step_id: z.string(),
    task: z
      .string()
      .nullable()
      .describe('The step’s task, if run by a `run_task` step; null: the task of the run'),
    item: z.unknown(),
    code: z.string(),
    message: z.string(),
    status: z.enum(DEAD_LETTER_STATUSES),
    replay_run_id: z.number().int().nullable().describe('The run that replayed the row last'),
    replay_item: z
      .unknown()
      .describe('The corrected row that was replayed instead of `item`; null if there was none'),
    replay_of: z.number().int().nullable().describe('The dead letter whose row failed here again'),
    origin: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'Where the row came from, as far as known: `file`, `line` on which the record begins, `record` (its number), `key`, `cursor`',
      ),
    column: z
      .string()
      .nullable()
      .describe('The column that did not fit; null if no single column is at fault'),
    value: z.unknown().describe('The value that did not fit; null if no single column is at fault'),
    created_at: z.string(),
  })
  .meta({ id: 'DeadLetter' });
const query = pageQuery.extend({
  sort: sortable(['id'], '-id'),
  status: z.enum(DEAD_LETTER_STATUSES).optional(),
});

const ownerQuery = z.strictObject({
  job_id: id.describe('Only those of the runs of this job'),
  run_id: id.describe('Only those of this run'),
  label: labelFilter,
});
const shownLetter = deadLetter
  .extend({ job_name: z.string().nullable(), run_task_name: z.string().describe('The task of the run') })
  .meta({ id: 'ShownDeadLetter' });
const reason = z
  .object({
    job_id: z.number().int().nullable(),
    job_name: z.string().nullable(),
    run_id: z.number().int().nullable().describe('The run, if it has no job; null: all runs of the job'),
    code: z.string(),
    open: z.number().int().describe('Open letters with this code'),
    message: z.string().describe('Of the newest one'),
    newest_at: z.string(),
  })
  .meta({ id: 'DeadLetterReason' });

const discardInput = z.strictObject({
  ids: z.array(z.number().int().positive()).min(1).max(IDS_MAX).optional().describe('Default: all open ones'),
  code: letterCode.describe('Only those with this code'),
});
const discarded = z.object({ discarded: z.number().int() });

const group = {
  tag: 'Dead Letters',
  read: member('viewer', 'runs:read'),
  write: member('operator', 'runs:run'),
};

export interface DeadLetterRoutesDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** Rows that a step refused, as it saw them, with the reason: nothing is dropped in silence. */
export function registerDeadLetterRoutes(app: App, deps: DeadLetterRoutesDeps): void {
  const routes = new Routes(app, group);
  registerOverall(routes, deps);
  registerLists(routes, deps);
  registerDiscards(routes, deps);
}

function registerOverall(routes: Routes, { store }: DeadLetterRoutesDeps): void {
  routes.list(
    '/api/dead-letters',
    {
      id: 'listDeadLetters',
      summary: 'Rows that runs could not process, of all jobs and tasks',
      query: query.extend({ ...ownerQuery.shape, code: letterCode.describe('Only those with this code') }),
      answer: shownLetter,
    },
    ({ query }, paging) => selectShownLetters(store.read, query, paging),
    toShownLetter,
  );

  routes.get(
    '/api/dead-letters/:id',
    {
      id: 'getDeadLetter',
      summary: 'One row that a run could not process',
      answer: shownLetter,
      record: shownLetter,
    },
    async ({ params }) =>
      toShownLetter(requireFound(await selectShownLetter(store.read, params.id), 'dead letter', params.id)),
  );

  routes.get(
    '/api/dead-letters/reasons',
    {
      id: 'listDeadLetterReasons',
      summary: 'Why rows are open dead letters, the most frequent reason first',
      description: `Counts the newest ${COUNTED_MAX} open letters; at most ${REASONS_MAX} reasons.`,
      query: ownerQuery,
      answer: z.object({ result: z.array(reason) }),
    },
    async ({ query }) => {
      const bounds = { lettersMax: COUNTED_MAX, reasonsMax: REASONS_MAX };
      const reasons = await selectLetterReasons(store.read, query, bounds);
      return { result: reasons.map((one) => ({ ...one, newest_at: timestamp(one.newest_at) })) };
    },
  );
}

function registerLists(routes: Routes, { store }: DeadLetterRoutesDeps): void {
  const spec = { query, answer: deadLetter };

  routes.list(
    '/api/runs/:id/dead-letters',
    { ...spec, id: 'listDeadLettersOfRun', summary: 'Rows that a run could not process' },
    ({ params, query }, paging) => list({ run_id: params.id }, query, paging),
    toDeadLetter,
  );

  routes.list(
    '/api/jobs/:id/dead-letters',
    { ...spec, id: 'listDeadLettersOfJob', summary: 'Rows that the runs of a job could not process' },
    ({ params, query }, paging) => list({ job_id: params.id }, query, paging),
    toDeadLetter,
  );

  async function list(of: DeadLetterOwner, { status }: z.infer<typeof query>, paging: Paging) {
    await requireOwner(store.read, of);
    return selectDeadLetters(store.read, { ...of, status }, paging);
  }
}

function registerDiscards(routes: Routes, { store, clock }: DeadLetterRoutesDeps): void {
  const spec = { body: discardInput, answer: discarded };

  routes.post(
    '/api/runs/:id/dead-letters/discard',
    { ...spec, id: 'discardDeadLettersOfRun', summary: 'Mark open dead letters of a run as settled' },
    async (request) => discard({ run_id: request.params.id }, request.body, actorOf(request)),
  );

  routes.post(
    '/api/jobs/:id/dead-letters/discard',
    { ...spec, id: 'discardDeadLettersOfJob', summary: 'Mark open dead letters of a job as settled' },
    async (request) => discard({ job_id: request.params.id }, request.body, actorOf(request)),
  );

  /** They stay to be read, as `discarded`. */
  async function discard(of: DeadLetterOwner, chosen: z.infer<typeof discardInput>, actor: Actor) {
    return store.write(async (tx) => {
      await requireOwner(tx, of);
      const count = await discardDeadLetters(tx, of, chosen);
      if (count > 0) {
        const resource =
          of.run_id === undefined
            ? ({ resourceType: 'job', resourceId: of.job_id ?? null } as const)
            : ({ resourceType: 'run', resourceId: of.run_id } as const);
        const entry = { action: 'dead_letter.discard', ...resource, diff: { discarded: count } };
        await insertAudit(tx, actor, entry, clock.now());
      }
      return { discarded: count };
    });
  }
}

function toShownLetter({
  job_name,
  run_task_name,
  ...row
}: DeadLetterRow & { readonly job_name: string | null; readonly run_task_name: string | null }) {
  return { ...toDeadLetter(row), job_name, run_task_name };
}

function toDeadLetter(letter: DeadLetterRow) {
  const { item_json, replay_item_json, origin_json, column_name, value_json, created_at, ...rest } = letter;
  const { seq: _seq, task_name, ...row } = rest;
  return {
    ...row,
    task: task_name,
    origin: jsonOrNull(origin_json) as Record<string, unknown> | null,
    column: column_name,
    value: jsonOrNull(value_json),
    status: row.status as (typeof DEAD_LETTER_STATUSES)[number],
    item: parseJsonText(item_json),
    replay_item: jsonOrNull(replay_item_json),
    created_at: timestamp(created_at),
  };
}

function jsonOrNull(json: string | null): unknown {
  return json === null ? null : parseJsonText(json);
}
