import { sql } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import { filtered, onPage } from '../../store/lists/keyset.ts';
import { holding } from '../../store/lists/name-search.ts';
import { namedStatements } from '../../store/record-statements.ts';
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

const references = namedStatements('ai_references');
export const {
  select: selectAiReference,
  lock: lockAiReference,
  selectNamed: selectAiReferencesNamed,
  selectAmong: selectAiReferencesById,
  count: countAiReferences,
  remove: deleteAiReference,
} = references;

/** The enabled ones, in name order; without their text, which may be long. */
export async function selectEnabledAiReferences(db: Db): Promise<AiReferenceHead[]> {
  return heads(db).where('enabled', '=', 1).orderBy('name').execute();
}

export interface AiReferenceFilters {
  readonly enabled?: boolean | undefined;
  readonly q?: string | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectAiReferences(
  db: Db,
  { enabled, q }: AiReferenceFilters,
  paging: Paging,
): Promise<AiReferenceHead[]> {
  const holds = q === undefined ? null : await holding(db, 'ai_references', q);
  return onPage(filtered(heads(db), { enabled }, holds), paging).execute();
}

export interface AiReferenceWrite {
  readonly input: AiReferenceInput;
  readonly by: string;
  readonly now: number;
}

/** Null where the name is taken. */
export function insertAiReference(tx: Tx, write: AiReferenceWrite): Promise<AiReferenceRow | null> {
  return references.insertNamed(tx, { ...columnsOf(write), version: 1, created_at: write.now });
}

export function updateAiReference(
  tx: Tx,
  before: AiReferenceRow,
  write: AiReferenceWrite,
): Promise<AiReferenceRow> {
  return references.update(tx, before.id, { ...columnsOf(write), version: before.version + 1 });
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
