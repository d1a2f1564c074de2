import { sql } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { onPage } from '../../store/keyset.ts';
import { nameContains } from '../../store/name-contains.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { AiReferenceHead, AiReferenceInput, AiReferenceRow } from './ai-reference.ts';

const HEAD_COLUMNS = [
  'id',
  'name',
  'description',
  'tags_json',
  'enabled',
  'version',
  'created_at',
  'updated_at',
  'updated_by',
] as const;

export async function selectAiReference(db: Db, id: number): Promise<AiReferenceRow | null> {
  return (await db.selectFrom('ai_references').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The row, held until the transaction ends. */
export async function lockAiReference(tx: Tx, dialect: Dialect, id: number): Promise<AiReferenceRow | null> {
  const query = tx.selectFrom('ai_references').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

export async function selectAiReferenceNamed(
  db: Db,
  name: string,
): Promise<Pick<AiReferenceRow, 'id'> | null> {
  const query = db.selectFrom('ai_references').select('id').where('name', '=', name);
  return (await query.executeTakeFirst()) ?? null;
}

export async function selectAiReferencesById(db: Db, ids: readonly number[]): Promise<AiReferenceRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('ai_references').selectAll().where('id', 'in', ids).execute();
}

/** Those that are enabled, by name; without their text, which may be long. */
export async function selectEnabledAiReferences(db: Db): Promise<AiReferenceHead[]> {
  return heads(db).where('enabled', '=', 1).orderBy('name').execute();
}

export async function countAiReferences(db: Db): Promise<number> {
  const query = db.selectFrom('ai_references').select((eb) => eb.fn.countAll<number>().as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

export interface AiReferenceFilters {
  readonly enabled?: boolean | undefined;
  readonly q?: string | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectAiReferences(
  db: Db,
  filters: AiReferenceFilters,
  paging: Paging,
): Promise<AiReferenceHead[]> {
  let query = heads(db);
  if (filters.enabled !== undefined) query = query.where('enabled', '=', Number(filters.enabled));
  if (filters.q !== undefined) query = query.where(nameContains(filters.q));
  return onPage(query, paging).execute();
}

export interface AiReferenceWrite {
  readonly input: AiReferenceInput;
  readonly by: string;
  readonly now: number;
}

/** Null where the name is taken. */
export async function insertAiReference(tx: Tx, write: AiReferenceWrite): Promise<AiReferenceRow | null> {
  const row = await tx
    .insertInto('ai_references')
    .values({ ...columnsOf(write), version: 1, created_at: write.now })
    .onConflict((oc) => oc.column('name').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateAiReference(
  tx: Tx,
  before: AiReferenceRow,
  write: AiReferenceWrite,
): Promise<AiReferenceRow> {
  return tx
    .updateTable('ai_references')
    .set({ ...columnsOf(write), version: before.version + 1 })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteAiReference(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('ai_references').where('id', '=', id).execute();
}

function heads(db: Db) {
  return db
    .selectFrom('ai_references')
    .select([...HEAD_COLUMNS, sql<number>`length(content)`.as('content_chars')]);
}

function columnsOf({ input, by, now }: AiReferenceWrite) {
  return {
    name: input.name,
    description: input.description,
    content: input.content,
    tags_json: JSON.stringify(input.tags),
    enabled: Number(input.enabled),
    updated_at: now,
    updated_by: by,
  };
}
