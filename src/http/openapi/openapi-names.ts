import { isRecord } from '../../base/json.ts';

interface Media {
  schema?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

/**
 * Gives the bodies and the answers of a generated OpenAPI document names of their own, `CreateTaskBody` and `CreateTaskAnswer`:
 * programs that generate clients name what has none, and two inline schemas of the same name would collide.
 */
export function nameInlineSchemas(document: object): void {
  const { paths = {}, components = {} } = document as {
    paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    components?: { schemas?: Record<string, unknown> };
  };
  const { schemas = {} } = components;
  const add = (schema: unknown, name: string) => {
    if (name in schemas) throw new Error(`the OpenAPI document has two schemas "${name}"`);
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  // Of a union each alternative has a name: generators name what is in them by the union, and meet it twice.
  const name = (medium: Media | undefined, wanted: string) => {
    if (!isRecord(medium?.schema)) return;
    const { schema } = medium;
    if (isRecord(schema['properties'])) {
      medium.schema = add(schema, wanted);
      return;
    }
    const options = schema['anyOf'] ?? schema['oneOf'];
    if (!Array.isArray(options)) return;
    const isOnly = options.filter(hasProperties).length === 1;
    for (const [index, option] of options.entries())
      if (hasProperties(option)) options[index] = add(option, isOnly ? wanted : `${wanted}${index + 1}`);
  };
  for (const { operationId, requestBody, responses = {} } of Object.values(paths).flatMap((path) =>
    Object.values(path),
  )) {
    const pascal = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
    name(requestBody?.content?.['application/json'], `${pascal}Body`);
    for (const [status, { content }] of Object.entries(responses))
      name(content?.['application/json'], `${pascal}${Number(status) < 300 ? 'Answer' : status}`);
  }
  // By name: they come in the order in which modules were read, which changes with any import.
  components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hasProperties(schema: unknown): boolean {
  return isRecord(schema) && isRecord(schema['properties']);
}
