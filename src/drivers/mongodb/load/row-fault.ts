import { type Collection, MongoBulkWriteError, MongoServerError } from 'mongodb';
import { isRecord } from '../../../base/json.ts';
import { shownValue } from '../../../base/text/shown-value.ts';
import { ConnectorError } from '../../driver.ts';
import { isDuplicate, mongoFault } from '../mongo-fault.ts';
import { plainValue } from '../values/plain.ts';
import { refusedAll, refusedDocument } from './rare-value.ts';

/** Fields of the unique indexes, by the name of the index. */
export type UniqueIndexes = ReadonlyMap<string, readonly string[]>;

const NO_COLLECTION = 26;

/** None where the collection is not there yet. */
export async function uniqueIndexes(collection: Collection): Promise<UniqueIndexes> {
  const found = await collection.indexes().catch((error: unknown) => {
    if (error instanceof MongoServerError && error.code === NO_COLLECTION) return [];
    throw error;
  });
  const unique = found.filter(({ name, unique: isUnique }) => isUnique === true || name === '_id_');
  return new Map(unique.map(({ name = '', key }) => [name, Object.keys(key as object)]));
}

/** What the server says of one document that it refused. */
interface Refusal {
  readonly code: unknown;
  readonly words: string;
  readonly index: number;
  readonly details: unknown;
}

/** The refusals of a bulk, in order; empty for another error. */
export function refusalsOf(error: unknown): readonly Refusal[] {
  if (!(error instanceof MongoBulkWriteError)) return [];
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return errors.map(({ code, errmsg, index, err }) => ({
    code,
    words: errmsg ?? '',
    index,
    details: err?.errInfo,
  }));
}

/** An error of a write, with the key or the field at fault where documents were refused. */
export function writeFault(
  error: unknown,
  documents: readonly Record<string, unknown>[],
  unique: UniqueIndexes,
): ConnectorError {
  const [refusal] = refusalsOf(error);
  if (refusal === undefined) return refusedAll(mongoFault(error, 'write'), documents);
  const document = documents[refusal.index] ?? {};
  if (isDuplicate(refusal.code)) return duplicateFault(refusal, document, unique, error);
  if (refusal.code !== 121) return refusedDocument(mongoFault(asServerError(refusal), 'write'), document);
  const column = unfitProperty(refusal.details);
  const what = column === undefined ? 'A document' : `The field "${column}" of a document`;
  return new ConnectorError('DATA', `${what} does not fit the validation of the collection`, {
    cause: error,
    column,
  });
}

function asServerError({ code, words }: Refusal): MongoServerError {
  return new MongoServerError({ message: words, errmsg: words, code: Number(code) });
}

function duplicateFault(
  { words }: Refusal,
  document: Record<string, unknown>,
  unique: UniqueIndexes,
  cause: unknown,
): ConnectorError {
  const fields = violatedFields(words, document, unique);
  const shown = fields.map((field) => `${field} = ${shownValue(plainValue(at(document, field)))}`);
  const [field, ...more] = fields;
  return new ConnectorError(
    'DATA',
    shown.length === 0
      ? `A document does not fit: ${words}`
      : `There is a document with ${shown.join(', ')} already`,
    { cause, column: more.length === 0 ? field : undefined },
  );
}

/** The fields of the index that the server names; of one that names none, of the only one that it can be. */
function violatedFields(
  words: string,
  document: Record<string, unknown>,
  unique: UniqueIndexes,
): readonly string[] {
  const named = unique.get(/index: (?:\S+\$)?(\S+)/.exec(words)?.[1] ?? '');
  if (named !== undefined) return named;
  const field = /dup key: \{ ?"?([^":]+)"?:/.exec(words)?.[1];
  if (field !== undefined) return [field];
  const possible = [...unique.values()].filter((fields) =>
    fields.some((name) => at(document, name) !== undefined),
  );
  const [only, ...others] = possible.length > 1 ? possible.filter(([first]) => first !== '_id') : possible;
  return only === undefined || others.length > 0 ? [] : only;
}

function at(document: Record<string, unknown>, field: string): unknown {
  if (Object.hasOwn(document, field)) return document[field];
  return field
    .split('.')
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), document);
}

/** The first property of which the validation by schema says something. */
function unfitProperty(details: unknown): string | undefined {
  const open: unknown[] = [details];
  while (open.length > 0) {
    const next = open.shift();
    if (Array.isArray(next)) open.push(...next);
    else if (isRecord(next)) {
      const { propertyName, missingProperties } = next;
      if (typeof propertyName === 'string') return propertyName;
      if (Array.isArray(missingProperties) && typeof missingProperties[0] === 'string')
        return missingProperties[0];
      open.push(...Object.values(next));
    }
  }
  return undefined;
}
