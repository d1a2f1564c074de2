import type { ConfigField } from './config-schema.ts';
import type { Typed } from './config-values.ts';

/**
 * Whether a form shows a field: one that is for other paths, or another kind of authentication, only while it has a value, so that it
 * can be taken out.
 */
export function isShown(
  { key, only }: ConfigField,
  fields: readonly ConfigField[],
  typed: Typed,
  stored: readonly string[],
): boolean {
  if (only === null) return true;
  const { values } = only;
  if (only.key === 'path' && values.some((start) => (typed['path'] ?? '').startsWith(start))) return true;
  const auth = fields.find((field) => field.key === 'auth');
  if (only.key === 'auth' && (auth === undefined || values.includes(chosenOf(auth, typed['auth']))))
    return true;
  return isSet(key, typed) || (stored.includes(key) && typed[key] !== null);
}

/** Whether there is something for a key, or within it. */
export function isSet(key: string, places: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(places).some(([place, value]) => place.split('/')[0] === key && Boolean(value));
}

/** The variant that is typed, or else the default; empty for none. */
export function chosenOf(field: ConfigField, typed: string | null | undefined): string {
  if (typed) return typed;
  const { default: byDefault, discriminator } = field;
  return typeof byDefault === 'object' && byDefault !== null && discriminator in byDefault
    ? String((byDefault as Record<string, unknown>)[discriminator])
    : '';
}

/** Keys that people look for beside the others of their kind, whatever their default. */
const usualKeys = ['port', 'config', 'resources', 'application'];
const seldomKeys = ['ca'];

/** Whether a field belongs to those that are seldom set. */
export function isSeldom({
  key,
  required,
  kind,
  default: byDefault,
  example,
  only,
  secretsKey,
}: ConfigField): boolean {
  if (required || secretsKey !== null || kind === 'secret' || kind === 'variants' || only !== null)
    return false;
  if (usualKeys.includes(key)) return false;
  return (
    seldomKeys.includes(key) ||
    byDefault !== undefined ||
    kind === 'json' ||
    kind === 'lines' ||
    kind === 'number' ||
    example === null
  );
}
