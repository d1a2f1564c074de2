import { isRecord } from '../../../base/json.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A shorter shape costs as much as the reference to it. */
const SHARED_CHARS_MIN = 60;
/** Under a description of another key a short one would be read for what it is called. */
const BARE_CHARS_MIN = 120;
const NAME_MAPS: readonly string[] = ['properties', '$defs'];

/**
 * A JSON Schema in which no shape stands twice: those that do are definitions, referred to by `$ref`, beside which a description of its
 * own may stand. It says the same in fewer characters.
 */
export function sharedShapes(schema: Schema): Schema {
  const counts = new Map<string, number>();
  const count = (node: Schema) => {
    for (const text of new Set([JSON.stringify(node), JSON.stringify(bare(node))]))
      counts.set(text, (counts.get(text) ?? 0) + 1);
  };
  walk(schema, '', count);
  const isShared = (text: string, charsMin: number) => text.length >= charsMin && (counts.get(text) ?? 0) > 1;
  const own = isRecord(schema['$defs']) ? schema['$defs'] : {};
  const names = new Map<string, string>();
  const taken = new Set(Object.keys(own));
  const shared: Record<string, Schema> = {};

  const define = (node: Schema, text: string, key: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    let name = key;
    for (let n = 2; taken.has(name); n++) name = `${key}_${n}`;
    taken.add(name);
    names.set(text, name);
    shared[name] = children(node, replaced, key);
    return name;
  };
  const replaced = (node: Schema, key: string): Schema => {
    const text = JSON.stringify(node);
    if (isShared(text, SHARED_CHARS_MIN)) return { $ref: `#/$defs/${define(node, text, key)}` };
    const rest = bare(node);
    const restText = JSON.stringify(rest);
    if ('description' in node && isShared(restText, BARE_CHARS_MIN))
      return { description: node['description'], $ref: `#/$defs/${define(rest, restText, key)}` };
    return children(node, replaced, key);
  };
  const { $defs, ...whole } = children(schema, replaced, '');
  return { ...whole, $defs: { ...(isRecord($defs) ? $defs : {}), ...shared } };
}

function bare({ description: _, ...rest }: Schema): Schema {
  return rest;
}

function walk(node: Schema, key: string, visit: (node: Schema) => void): void {
  if (key !== '') visit(node);
  const step = (child: Schema, name: string) => {
    walk(child, name, visit);
    return child;
  };
  children(node, step, key);
}

/** The node with each schema inside it changed; a definition is left where it is, and only what is inside it changes. */
function children(node: Schema, change: (child: Schema, key: string) => Schema, key: string): Schema {
  const entries = Object.entries(node).map(([name, value]): [string, unknown] => {
    if (NAME_MAPS.includes(name) && isRecord(value)) {
      const schemas = Object.entries(value).map(([one, schema]): [string, unknown] => {
        if (!isRecord(schema)) return [one, schema];
        return [one, name === '$defs' ? children(schema, change, one) : change(schema, one)];
      });
      return [name, Object.fromEntries(schemas)];
    }
    if ((name === 'items' || name === 'additionalProperties') && isRecord(value))
      return [name, change(value, `${key}_${name === 'items' ? 'item' : 'value'}`)];
    if (name === 'anyOf' && Array.isArray(value))
      return [name, value.map((one: unknown) => (isRecord(one) ? change(one, `${key}_choice`) : one))];
    return [name, value];
  });
  return Object.fromEntries(entries);
}
