import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { jsonText } from '../send-json-text.ts';
import { checkedWriter, type WriteAnswer } from './answer-writer.ts';

const FIELDS_LENGTH_MAX = 1_000;

/** The names in `fields` of a request; null where it asks for all. */
export function fieldsOf({ query }: Pick<FastifyRequest, 'query'>): readonly string[] | null {
  return (query as { readonly fields?: readonly string[] } | undefined)?.fields ?? null;
}

/** The query of a route whose answer is of such records, with `fields`. */
export function withFields(query: z.ZodType | undefined, record: z.ZodObject): z.ZodObject {
  const known = Object.keys(record.shape);
  const fields = z
    .string()
    .max(FIELDS_LENGTH_MAX)
    .optional()
    .transform((text, context) => {
      const names = text?.split(',').map((name) => name.trim());
      const unknown = names?.find((name) => !known.includes(name));
      if (unknown !== undefined)
        context.addIssue({ code: 'custom', message: `"${unknown}" is not a field: use ${known.join(', ')}` });
      return names;
    })
    .meta({
      description: `Only these fields, separated by commas; others are left out, required or not: ${known.join(', ')}`,
      pattern: `^ *(${known.join('|')}) *(, *(${known.join('|')}) *)*$`,
    });
  return (query instanceof z.ZodObject ? query : z.strictObject({})).extend({ fields });
}

/** The answer of a record, or of a page of records, with these fields alone, each by its schema: what the handler returns. */
export function fieldsText(
  reply: FastifyReply,
  answer: object,
  write: ReturnType<typeof fieldsWriter>,
  fields: readonly string[],
): string {
  const page = answer as { readonly result?: readonly object[]; readonly next_cursor?: string | null };
  const record = (found: object) => write(found, fields);
  const text =
    page.next_cursor === undefined
      ? record(answer)
      : `{"result":[${(page.result ?? []).map(record).join(',')}],"next_cursor":${JSON.stringify(page.next_cursor)}}`;
  return jsonText(reply, text);
}

/** Writes the fields of a record that are asked for. */
export function fieldsWriter({ shape }: z.ZodObject): (record: object, fields: readonly string[]) => string {
  const writers = new Map<string, WriteAnswer>();
  const writerOf = (name: string) => {
    const schema = shape[name] as z.ZodType;
    const known =
      writers.get(name) ?? checkedWriter(schema, (value) => JSON.stringify(z.encode(schema, value)));
    writers.set(name, known);
    return known;
  };
  return (record, fields) => {
    const written = [...new Set(fields)].flatMap((name) => {
      const text = writerOf(name)((record as Record<string, unknown>)[name]);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    });
    return `{${written.join(',')}}`;
  };
}
