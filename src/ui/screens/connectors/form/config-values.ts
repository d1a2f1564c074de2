import { isRow as isRecord } from '../../../frame/records/row.ts';
import { parseExactJson } from '../../../kit/numbers/exact-number.ts';
import { readNumber } from '../../../kit/numbers/typed-number.ts';
import { type ConfigField, textFor } from './config-schema.ts';
import { isStored, keptSecrets, splitSecrets } from './stored-secrets.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What is typed, by the place of its field. Absent or empty: the default. Null: a stored secret that is to go. */
export type Typed = Readonly<Record<string, string | null>>;

/** A stored configuration as what would have been typed. Secrets are left out: they stay as they are. */
export function typedConfig(fields: readonly ConfigField[], config: Schema, at = ''): Typed {
  const typed: Record<string, string> = {};
  for (const field of fields) {
    const place = `${at}${field.key}`;
    const value = config[field.key];
    if (value === undefined || field.kind === 'secret') continue;
    if (field.kind === 'variants' && isRecord(value)) {
      const name = String(value[field.discriminator]);
      typed[place] = name;
      const own = field.variants.find((variant) => variant.name === name)?.fields ?? [];
      Object.assign(typed, typedConfig(own, value, `${place}/`));
    } else if (field.kind === 'group' && isRecord(value))
      Object.assign(typed, typedConfig(field.fields, value, `${place}/`));
    else typed[place] = textFor(field, value);
  }
  return typed;
}

/** The configuration that was typed. `problems` names the places of texts that are not JSON. */
export function configOf(
  fields: readonly ConfigField[],
  typed: Typed,
  stored: Schema = {},
  at = '',
): { readonly config: Record<string, unknown>; readonly problems: readonly string[] } {
  const config: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const field of fields) {
    const place = `${at}${field.key}`;
    const text = typed[place];
    if (field.kind === 'group') {
      const inner = configOf(field.fields, typed, below(stored, field.secretsKey ?? field.key), `${place}/`);
      const { open, secret } =
        field.secretsKey === null
          ? { open: inner.config, secret: {} }
          : splitSecrets(field.fields, inner.config);
      // One that is stored without keys may mean something by being there.
      if (Object.keys(open).length > 0 || isEmpty(stored[field.key])) config[field.key] = open;
      if (field.secretsKey !== null) Object.assign(config, keptSecrets(field, secret, typed, stored));
      problems.push(...inner.problems);
    } else if (field.kind === 'secret' && text !== null && (text ?? '') === '') {
      if (isStored(stored[field.key])) config[field.key] = stored[field.key];
    } else if (text === null || text === undefined || text === '') continue;
    else if (field.kind === 'variants') {
      const own = field.variants.find(({ name }) => name === text)?.fields ?? [];
      const inner = configOf(own, typed, below(stored, field.key), `${place}/`);
      config[field.key] = { [field.discriminator]: text, ...inner.config };
      problems.push(...inner.problems);
    } else {
      const value = parsedOf(field, text, stored[field.key]);
      if (value === undefined) problems.push(place);
      else config[field.key] = value;
    }
  }
  return { config, problems };
}

function below(stored: Schema, key: string): Schema {
  const value = stored[key];
  return isRecord(value) ? value : {};
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Undefined where the text is no JSON. What else is wrong with it, the server says. */
function parsedOf(field: ConfigField, text: string, stored: unknown): unknown {
  const { kind, choices, isJson } = field;
  const form = isJson ? 'json' : kind;
  switch (form) {
    case 'number':
      return numberOf(text);
    case 'boolean':
      return text === 'true';
    case 'lines':
      return linesOf(field, text, stored);
    case 'json':
      try {
        return parseExactJson(text);
      } catch {
        return undefined;
      }
    case 'choice':
      return choices.find((choice) => String(choice) === text) ?? text;
    case 'text':
      return field.isCounted ? countedOf(text) : text;
    case 'secret':
    case 'variants':
    case 'group':
      return text;
    default:
      return form satisfies never;
  }
}

/** The server says what is wrong with a text that is none. */
function numberOf(text: string): unknown {
  const read = readNumber(text);
  return read.kind === 'number' ? read.value : text;
}

function linesOf({ lines }: ConfigField, text: string, stored: unknown): unknown {
  const all = text
    .split(lines?.isNumber === true ? /[\s,;]+/ : /\r?\n/)
    .filter((line) => lines?.keepsEmpty === true || line.trim() !== '');
  // A list of one stays a list: where a connector connects has not changed.
  if (lines?.isAlone === true && all.length === 1 && !Array.isArray(stored)) return all[0];
  return lines?.isNumber === true ? all.map(numberOf) : all;
}

function countedOf(text: string): unknown {
  if (/^\d+$/.test(text)) return Number(text);
  try {
    const value: unknown = text.startsWith('"') ? JSON.parse(text) : text;
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
