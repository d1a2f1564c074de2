import { isRecord } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import { withArticle } from '../../base/text/with-article.ts';
import type { ConnectorMethod, ConnectorType, KnownAs, MethodKind } from '../connector-types.ts';
import type { DocumentCheck } from '../yaml/document-check.ts';
import type { MapReader } from '../yaml/map-reader.ts';
import type { Rule } from './rules.ts';
import type { Value } from './value.ts';
import { name } from './values.ts';

const GIVES: Readonly<Record<MethodKind, string>> = {
  rows: 'gives rows',
  value: 'gives one value',
  write: 'writes',
};

/** The type of a connector that a document declares: one that this build has. */
export function connectorType(words: string): Value<string> {
  const type = name(words, 'word', { required: true });
  return {
    ...type,
    read: (reader, key) => {
      const given = type.read(reader, key);
      const types = reader.check.connectorTypes;
      if (types === null || given === '' || given !== reader.value(key) || types.has(given)) return given;
      const hint = didYouMean(given, types.keys()) || `; there are ${[...types.keys()].join(', ')}`;
      reader.wrong(key, `Unknown connector type "${given}"${hint}`);
      return given;
    },
  };
}

/**
 * A call fits its connector: the type has the method, the method is of one of these kinds, and takes the arguments, as far as they
 * are known before they are evaluated. `place` is what makes the call, as in `an extract step`; `own` are arguments that are keys
 * beside `args`.
 */
export function fittingCall(place: string, kinds: readonly MethodKind[], own: readonly string[] = []): Rule {
  return {
    check: (reader) => {
      const type = connectorOf(reader);
      const method = reader.value('method');
      if (type === null || typeof method !== 'string' || reader.check.isPlaceholder(method)) return;
      const found = type.methods.find(({ name }) => name === method);
      if (found === undefined) {
        const names = namesOf(type.methods, kinds);
        const hint = didYouMean(method, names) || didYouMean(method, namesOf(type.methods));
        const others = names.length === 0 ? `, and none for ${place}` : `; there are ${names.join(', ')}`;
        reader.wrong(
          'method',
          `${withArticle(type.type)} connector has no method "${method}"${hint || others}`,
        );
      } else if (kinds.includes(found.kind)) checkArguments(reader, found, own);
      else reader.wrong('method', misplaced(found, type, place, kinds));
    },
    schemas: () => [],
  };
}

/** `on_error` acts on malformed records, which not every method of a connector can have. */
export const fittingErrors: Rule = {
  check: (reader) => {
    const type = connectorOf(reader);
    const method = type?.methods.find(({ name }) => name === reader.value('method'));
    if (method === undefined || method.kind !== 'rows' || method.tellsMalformed) return;
    const given = reader.value('on_error');
    const action = isRecord(given) ? given['action'] : given;
    if (action !== 'skip' && action !== 'dead_letter') return;
    const why = `"${method.name}" of a ${type?.type} connector never returns malformed records`;
    reader.wrong('on_error', `"on_error" has no effect: ${why}`, 'key');
  },
  schemas: () => [],
};

/**
 * A load fits its connector: the type can be written to, in this mode, and has types to hold values against. `deletesMissing`: whether the map asks for rows to be taken away
 * that no longer come.
 */
export function fittingLoad(modeDefault: string, deletesMissing: (reader: MapReader) => boolean): Rule {
  return {
    check: (reader) => {
      const type = connectorOf(reader);
      if (type === null) return;
      const mode = reader.value('mode') ?? modeDefault;
      const { writeModes } = type;
      if (writeModes.length === 0)
        reader.wrong(
          'connector',
          `${withArticle(type.type)} connector is read-only: nothing can be loaded into it`,
        );
      else if (typeof mode === 'string' && !writeModes.includes(mode)) {
        const modes = writeModes.join(', ');
        reader.wrong(
          'mode',
          `${withArticle(type.type)} connector cannot load with mode "${mode}"; use ${modes}`,
        );
      } else if (deletesMissing(reader) && !type.deletesMissing)
        reader.wrong(
          'delete_missing',
          `${withArticle(type.type)} connector cannot detect missing rows`,
          'key',
        );
      checkTypes(reader, type);
    },
    schemas: () => [],
  };
}

function checkTypes(reader: MapReader, { type, typedColumns, widensColumns }: ConnectorType): void {
  const schema = reader.value('schema');
  const policy = isRecord(schema) ? (schema['types'] ?? null) : null;
  if (policy === null) return;
  const at = reader.at('schema', 'types');
  if (!typedColumns)
    reader.check.add(at, `"types" has no effect: the columns of a ${type} connector have no types`, 'key');
  else if (policy === 'evolve' && !widensColumns)
    reader.check.add(
      at,
      `${withArticle(type)} connector cannot give a column a wider type; use variant or freeze`,
    );
}

/** The type of the connector that a map names; null where it is not known, or told elsewhere to be wrong. */
export function connectorOf(reader: MapReader): ConnectorType | null {
  const { check } = reader;
  const connector = reader.value('connector');
  if (typeof connector !== 'string' || check.isPlaceholder(connector)) return null;
  return check.connectorTypes?.get(check.typeOf('connectors', connector) ?? '') ?? null;
}

function misplaced(
  { name, kind }: ConnectorMethod,
  { methods }: ConnectorType,
  place: string,
  kinds: readonly MethodKind[],
): string {
  const reads = kinds.length === 2 && !kinds.includes('write');
  const wanted = reads ? 'reads' : kinds.map((one) => GIVES[one]).join(' or ');
  const names = namesOf(methods, kinds).join(', ') || 'this type has none';
  return `"${name}" ${GIVES[kind]}; ${place} takes a method that ${wanted}: ${names}`;
}

function namesOf(methods: readonly ConnectorMethod[], kinds?: readonly MethodKind[]): readonly string[] {
  return methods.filter(({ kind }) => kinds?.includes(kind) ?? true).map(({ name }) => name);
}

function checkArguments(reader: MapReader, method: ConnectorMethod, own: readonly string[]): void {
  const { check } = reader;
  const args = reader.value('args') ?? {};
  // One expression or variable stands for all of them; what else is no map is told elsewhere.
  if (!isRecord(args)) return;
  const beside = own.filter((key) => reader.has(key));
  const all = { ...args, ...Object.fromEntries(beside.map((key) => [key, reader.value(key)])) };
  for (const { path, message, part } of method.argumentProblems(all, (value) => knownAs(check, value))) {
    const [first] = path;
    if (typeof first === 'string' && beside.includes(first)) {
      check.add(reader.at(first, ...path.slice(1)), message, part);
      continue;
    }
    // Without arguments the call itself is the place.
    const at = reader.has('args') ? reader.at('args', ...path) : reader.at('method');
    check.add(at, message, part);
  }
}

function knownAs(check: DocumentCheck, value: unknown): KnownAs {
  if (typeof value !== 'string') return 'itself';
  if (check.isPlaceholder(value) || /^\s*\{\{[\s\S]*\}\}\s*$/.test(value)) return 'anything';
  return value.includes('{{') ? 'text' : 'itself';
}
