import { z } from 'zod';
import { eventPayload } from '../../../src/modules/webhooks/webhook-event.ts';
import { code, pageHead } from './markdown.ts';
import { keyRows, keyTable } from './schema-rows.ts';
import { bareSchema, type Definitions, isSchema, type Schema } from './schema-type.ts';

const INTRO = `What a webhook sends: a JSON body of \`type\`, \`timestamp\` and \`data\`. When each event comes, how to verify it and when it is sent again: [webhooks](../webhooks.md).`;

/** From the schema that the OpenAPI document is made from too. */
export function webhooksPage(): string {
  const schema = z.toJSONSchema(eventPayload, { reused: 'inline' }) as Schema;
  const definitions = (schema['$defs'] ?? {}) as Definitions;
  const { oneOf } = bareSchema(schema, definitions, () => null);
  if (!Array.isArray(oneOf)) throw new Error('The payload of webhooks is no choice of events');
  const bare = (inner: Schema) => bareSchema(inner, definitions, () => null);
  const sections = oneOf.filter(isSchema).map((kind) => {
    const properties = bare(kind)['properties'] as Readonly<Record<string, Schema>>;
    const data = bare(properties['data'] ?? {});
    const rows = keyRows(data, { definitions, linkOf: () => null }, 'data.').map((row) => ({
      ...row,
      type: isNullable(data, row.path) ? `${row.type} or null` : row.type,
      required: false,
    }));
    return `\n## ${code(properties['type']?.['const'])}\n${keyTable(rows)}`;
  });
  return pageHead('Webhook events', INTRO) + sections.join('');
}

function isNullable(data: Schema, path: string): boolean {
  const property = (data['properties'] as Readonly<Record<string, Schema>>)[path.replace(/^data\./, '')];
  const options = Array.isArray(property?.['anyOf']) ? property['anyOf'].filter(isSchema) : [property];
  return options.some((option) => [option?.['type']].flat().includes('null'));
}
