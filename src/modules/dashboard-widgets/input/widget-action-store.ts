import type { Selectable } from 'kysely';
import type { Schema } from '../../../store/schema.ts';
import type { Db, Tx } from '../../../store/store.ts';

export type ActionRow = Selectable<Schema['dashboard_actions']>;

export interface ActionClaim {
  readonly dashboard_id: number;
  readonly widget_id: string;
  readonly acted_at: number;
  readonly acted_by: string;
  readonly cooldown_until: number | null;
}

/**
 * Takes an action's turn, in one statement: of many that try at once, one has it. Null, or until when it still cools down after an
 * earlier one.
 */
export async function claimAction(tx: Tx, claim: ActionClaim): Promise<number | null> {
  const taken = { ...claim, outcome: 'started', job_run_id: null };
  const claimed = await tx
    .insertInto('dashboard_actions')
    .values(taken)
    .onConflict((oc) =>
      oc
        .columns(['dashboard_id', 'widget_id'])
        .doUpdateSet(taken)
        .where((eb) =>
          eb.or([
            eb('dashboard_actions.cooldown_until', 'is', null),
            eb('dashboard_actions.cooldown_until', '<=', claim.acted_at),
          ]),
        ),
    )
    .returning('acted_at')
    .executeTakeFirst();
  if (claimed !== undefined) return null;
  const row = await tx
    .selectFrom('dashboard_actions')
    .select('cooldown_until')
    .where('dashboard_id', '=', claim.dashboard_id)
    .where('widget_id', '=', claim.widget_id)
    .executeTakeFirst();
  return row?.cooldown_until ?? claim.acted_at;
}

/** Writes what became of a claim; nothing where another has been made since. */
export async function settleAction(
  tx: Tx,
  claim: ActionClaim,
  settled: Pick<ActionRow, 'outcome' | 'job_run_id' | 'cooldown_until'>,
): Promise<void> {
  await tx
    .updateTable('dashboard_actions')
    .set(settled)
    .where('dashboard_id', '=', claim.dashboard_id)
    .where('widget_id', '=', claim.widget_id)
    .where('acted_at', '=', claim.acted_at)
    .where('acted_by', '=', claim.acted_by)
    .execute();
}

/** The latest use of each of these actions, with the status that its job run has now. */
export async function selectLastActions(
  db: Db,
  dashboardId: number,
  widgetIds: readonly string[],
): Promise<(ActionRow & { readonly status: string | null })[]> {
  if (widgetIds.length === 0) return [];
  return db
    .selectFrom('dashboard_actions')
    .leftJoin('job_runs', 'job_runs.id', 'dashboard_actions.job_run_id')
    .selectAll('dashboard_actions')
    .select('job_runs.status as status')
    .where('dashboard_actions.dashboard_id', '=', dashboardId)
    .where('dashboard_actions.widget_id', 'in', widgetIds)
    .execute();
}
