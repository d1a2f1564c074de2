import { isRow } from '../../records/row.ts';
import { choicesOf, keysOf, type Schema, type SchemaKey, schemasAt } from './schema-walk.ts';
import type { ConnectorType } from './vocabulary.ts';
import type { YamlLevel, YamlPlace } from './yaml-place.ts';

type Method = ConnectorType['methods'][number];

/** What a map that names a connector of a known type may hold. */
export interface ConnectorPlace {
  readonly type: ConnectorType;
  /** The methods that fit what the map is. */
  readonly methods: readonly Method[];
  /** Where the cursor is inside `args` of a known method. */
  readonly args: { readonly schema: Schema; readonly schemas: readonly Schema[] } | null;
}

const every = ['rows', 'value', 'write'];
const reading = ['rows', 'value'];
const kindsOfSteps: Readonly<Record<string, readonly string[]>> = {
  extract: ['rows'],
  call: ['value', 'write'],
};

/** The call of a connector around a place, or the step with a connector; null where there is none of a known type. */
export function connectorPlace(
  { levels }: YamlPlace,
  types: readonly ConnectorType[],
  connectors: ReadonlyMap<string, string>,
): ConnectorPlace | null {
  const argsAt = levels.findIndex(
    ({ step }, index) => step === 'args' && levels[index - 1]?.entries.has('connector'),
  );
  const at = argsAt < 0 ? levels.length - 1 : argsAt - 1;
  const call = levels[at];
  const declared = connectors.get(call?.entries.get('connector') ?? '');
  const type = types.find((one) => one.type === declared);
  if (call === undefined || type === undefined) return null;
  const kinds = kindsOf(call, levels[at - 1]);
  const method = type.methods.find(({ name }) => name === call.entries.get('method'));
  const inside = argsAt < 0 ? null : levels.slice(argsAt);
  return {
    type,
    methods: type.methods.filter(({ kind }) => kinds.includes(kind)),
    args:
      method === undefined || inside === null
        ? null
        : { schema: method.args, schemas: schemasAt(method.args, inside) },
  };
}

/** The keys of arguments at a place. */
export function argumentsAt({ args }: ConnectorPlace): readonly SchemaKey[] {
  return args === null ? [] : keysOf(args.schemas);
}

/** The values that a key may have: those of the schema, of an argument, and of `mode` those that the connector can write. */
export function choicesAt(
  schema: Schema | null,
  { levels }: YamlPlace,
  key: string,
  call: ConnectorPlace | null,
): readonly string[] {
  const known = schema === null ? [] : choicesOf(schema, schemasAt(schema, levels), key);
  if (call === null) return known;
  if (call.args !== null) return [...known, ...choicesOf(call.args.schema, call.args.schemas, key)];
  const isLoad = levels.at(-1)?.entries.get('kind') === 'load';
  return isLoad && key === 'mode'
    ? known.filter((mode) => call.type.capabilities.write.includes(mode))
    : known;
}

/** Whether a place is the `type` of a connector that the text declares. */
export function isConnectorType({ levels, key }: YamlPlace): boolean {
  return key === 'type' && levels.length === 3 && levels[1]?.step === 'connectors';
}

/** The default of an argument, as it would be typed; null without one, or where its description tells it. */
export function defaultOf({ description, value }: SchemaKey): string | null {
  const given = isRow(value) ? value['default'] : undefined;
  if (given === undefined || /default/i.test(description ?? '')) return null;
  return typeof given === 'string' && given !== '' ? given : JSON.stringify(given);
}

/** Which methods a map may call: a step by its kind, an action all, what only shows or looks up those that read. */
function kindsOf({ step, entries }: YamlLevel, around: YamlLevel | undefined): readonly string[] {
  const kind = entries.get('kind');
  if (kind !== undefined && kindsOfSteps[kind] !== undefined) return kindsOfSteps[kind];
  const isStep = step === null && around?.step !== 'widgets';
  return isStep || step === 'run' ? every : reading;
}
