import type { Selectable } from 'kysely';
import { timestamp } from '../../base/clock.ts';
import type { Schema } from '../../store/schema.ts';

export type AiReferenceRow = Selectable<Schema['ai_references']>;

/** A reference without its text, as lists have it. */
export type AiReferenceHead = Omit<AiReferenceRow, 'content'> & { readonly content_chars: number };

export interface AiReferenceInput {
  readonly name: string;
  readonly description: string | null;
  /** The text for the model: conventions, tables, examples. */
  readonly content: string;
  readonly tags: readonly string[];
  /** Whether the model gets it by default. */
  readonly enabled: boolean;
}

export function toAiReferenceHead(row: Omit<AiReferenceHead, 'content'>) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    content_chars: Number(row.content_chars),
    tags: JSON.parse(row.tags_json) as string[],
    enabled: row.enabled === 1,
    version: row.version,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    updated_by: row.updated_by,
  };
}

/** A reference as the API returns it. Characters are counted by code point, as the stores do. */
export function toAiReference(row: AiReferenceRow) {
  const { content } = row;
  return { ...toAiReferenceHead({ ...row, content_chars: [...content].length }), content };
}
