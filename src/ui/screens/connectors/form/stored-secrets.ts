import { isRow as isRecord } from '../../../frame/records/row.ts';

/** A stored secret as the API shows it; writing it back keeps the value. */
export const secretMask = '********';

type Values = Readonly<Record<string, unknown>>;

/** What of a field says where secrets are. */
interface Field {
  readonly key: string;
  readonly kind: string;
  readonly fields: readonly Field[];
  readonly variants: readonly { readonly name: string; readonly fields: readonly Field[] }[];
  readonly discriminator: string;
  readonly secretsKey: string | null;
}

/** Whether this is a stored secret, or an object with one. */
export function isStored(value: unknown): boolean {
  return value === secretMask || (isRecord(value) && Object.values(value).some(isStored));
}

/** Places of the stored secrets in what stands at a place. */
export function storedPlaces(value: unknown, at: string): readonly string[] {
  if (value === secretMask) return [at];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => storedPlaces(inner, `${at}/${key}`));
}

/**
 * The secrets of a group: those that were typed or are kept, and stored ones that no field is for. Where it is not known which
 * are stored, all that are not typed anew stay or none.
 */
export function keptSecrets(
  { key, secretsKey, fields }: Field,
  secret: Values,
  typed: Readonly<Record<string, string | null>>,
  stored: Values,
): Values {
  if (
    secretsKey === null ||
    (stored[secretsKey] === secretMask && typed[secretsKey] === null && isEmpty(secret))
  )
    return {};
  if (stored[secretsKey] === secretMask) return { [secretsKey]: isEmpty(secret) ? secretMask : secret };
  const known = new Set(secretPlaces(fields, `${key}/`));
  const others = storedPlaces(stored[secretsKey], key).filter((place) => !known.has(place));
  const all = others.reduce<Values>((at, place) => withMask(at, place.split('/').slice(1)), secret);
  return isEmpty(all) ? {} : { [secretsKey]: all };
}

function withMask(values: Values, [key = '', ...rest]: readonly string[]): Values {
  if (rest.length === 0) return { ...values, [key]: secretMask };
  const inner = values[key];
  return { ...values, [key]: withMask(isRecord(inner) ? inner : {}, rest) };
}

function isEmpty(values: Values): boolean {
  return Object.keys(values).length === 0;
}

/** A configuration without what is secret in it, and the rest at the same places. */
export function splitSecrets(
  fields: readonly Field[],
  config: Values,
): { readonly open: Values; readonly secret: Values } {
  const open: Record<string, unknown> = {};
  const secret: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(config)) {
    const field = fields.find((one) => one.key === key);
    const below = field?.kind === 'variants' ? fieldsOfVariant(field, value) : (field?.fields ?? []);
    if (field?.kind === 'secret') secret[key] = value;
    else if (below.length > 0 && isRecord(value)) {
      const inner = splitSecrets(below, value);
      if (!isEmpty(inner.open)) open[key] = inner.open;
      if (!isEmpty(inner.secret)) secret[key] = inner.secret;
    } else open[key] = value;
  }
  return { open, secret };
}

function fieldsOfVariant({ variants, discriminator }: Field, value: unknown): readonly Field[] {
  const named = isRecord(value) ? value[discriminator] : null;
  return variants.find(({ name }) => name === named)?.fields ?? [];
}

/** Places of the secrets among fields, to any depth. */
export function secretPlaces(fields: readonly Field[], at = ''): readonly string[] {
  return fields.flatMap(({ key, kind, fields: inner, variants }) =>
    kind === 'secret'
      ? [`${at}${key}`]
      : [inner, ...variants.map((variant) => variant.fields)].flatMap((some) =>
          secretPlaces(some, `${at}${key}/`),
        ),
  );
}

/** A configuration without its secrets, each of its other keys as null where it is not set: two of them can be compared. */
export function openConfig(fields: readonly Field[], config: Values): Values {
  const hidden = new Set([...secretPlaces(fields), ...fields.flatMap(({ secretsKey }) => secretsKey ?? [])]);
  const open = (values: Values, at: string): Values =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) => {
        if (hidden.has(`${at}${key}`) || value === secretMask) return [];
        return [[key, isRecord(value) ? open(value, `${at}${key}/`) : value]];
      }),
    );
  return open({ ...Object.fromEntries(fields.map(({ key }) => [key, null])), ...config }, '');
}
