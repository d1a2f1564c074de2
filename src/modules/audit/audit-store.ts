import type { Insertable, Selectable } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import { keptWrite } from '../../store/kept-query.ts';
import { narrowed, onPage } from '../../store/lists/keyset.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db, Tx } from '../../store/store.ts';
import { type Actor, type AuditEntry, redact } from './audit.ts';

/** Below the engines' limits of bound values. */
const ROWS_PER_INSERT = 500;

const insertRow = keptWrite((tx, row) =>
  tx.insertInto('audit_logs').values(row as Insertable<Schema['audit_logs']>),
);

/** Writes the audit row of a change, in the transaction of that change. */
export async function insertAudit(tx: Tx, actor: Actor, entry: AuditEntry, now: number): Promise<void> {
  await insertAudits(tx, actor, [entry], now);
}

/** As `insertAudit`, for many changes of one transaction. */
export async function insertAudits(
  tx: Tx,
  actor: Actor,
  entries: readonly AuditEntry[],
  now: number,
): Promise<void> {
  for (let at = 0; at < entries.length; at += ROWS_PER_INSERT) {
    const rows = entries.slice(at, at + ROWS_PER_INSERT).map((entry) => ({
      at: now,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: actor.name,
      action: entry.action,
      resource_type: entry.resourceType,
      resource_id: entry.resourceId === null ? null : String(entry.resourceId),
      diff_json: entry.diff === undefined ? null : JSON.stringify(redact(entry.diff)),
      address: actor.address,
      request_id: actor.requestId,
      outcome: entry.outcome ?? 'success',
    }));
    const [only] = rows;
    if (rows.length === 1 && only !== undefined) await insertRow(tx, only);
    else await tx.insertInto('audit_logs').values(rows).execute();
  }
}

export interface AuditFilters {
  readonly resource_type?: string | undefined;
  readonly resource_id?: string | undefined;
  readonly action?: string | undefined;
  readonly actor_id?: number | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectAudit(
  db: Db,
  filters: AuditFilters,
  paging: Paging,
): Promise<Selectable<Schema['audit_logs']>[]> {
  const { resource_id, actor_id, action, resource_type } = filters;
  const query = narrowed(db.selectFrom('audit_logs').selectAll(), {
    resource_id,
    actor_id,
    action,
    resource_type,
  });
  return onPage(query, paging).execute();
}
