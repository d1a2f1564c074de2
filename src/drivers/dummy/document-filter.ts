import { isRecord } from '../../base/json.ts';
import { ConnectorError, type Row } from '../driver.ts';

type Scalar = string | number | boolean | null;
export type DocumentTest = (document: Row) => boolean;

const filterDepthMax = 20;
const filterValuesMax = 1_000;

const OPERATORS = '$and, $or, $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin and $exists';

/**
 * A document database's filter over scripted rows: `{city: 'Bonn', $or: [{age: {$gte: 18}}, {'address.zip': {$exists: true}}]}`.
 * Values are scalars; a field with a list matches by one of its items, as there; a dotted path leads into objects. Throws `CONFIG`
 * for anything else.
 */
export function documentFilter(filter: Row, depth = filterDepthMax): DocumentTest {
  if (depth === 0) throw unknown(`A filter is at most ${filterDepthMax} deep`);
  const tests = Object.entries(filter).map(([name, wanted]): DocumentTest => {
    if (name === '$and' || name === '$or') {
      const parts = partsOf(name, wanted).map((part) => documentFilter(part, depth - 1));
      if (name === '$and') return (document) => parts.every((test) => test(document));
      return (document) => parts.some((test) => test(document));
    }
    if (name.startsWith('$')) throw unknown(`There is no "${name}" here`);
    return fieldTest(name, wanted);
  });
  return (document) => tests.every((test) => test(document));
}

function unknown(problem: string): ConnectorError {
  return new ConnectorError('CONFIG', `${problem}; a dummy connector supports ${OPERATORS}`);
}

function partsOf(name: string, wanted: unknown): readonly Row[] {
  if (Array.isArray(wanted) && wanted.length > 0 && wanted.every(isRecord)) return wanted;
  throw unknown(`"${name}" takes a list of filters`);
}

function fieldTest(name: string, wanted: unknown): DocumentTest {
  const operators = isRecord(wanted) ? Object.entries(wanted) : [['$eq', wanted] as const];
  if (operators.length === 0) throw unknown(`The filter on "${name}" has no operator`);
  const path = name.split('.');
  const tests = operators.map(([operator, operand]) => valueTest(name, operator, operand));
  return (document) => {
    const value = valueAt(document, path);
    return tests.every((test) => test(value));
  };
}

/** Undefined where there is no such field. */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function valueTest(name: string, operator: string, operand: unknown): (value: unknown) => boolean {
  switch (operator) {
    case '$eq':
    case '$ne': {
      const wanted = scalarOf(name, operator, operand);
      return (value) => isAmong(value, [wanted]) === (operator === '$eq');
    }
    case '$in':
    case '$nin': {
      if (!Array.isArray(operand) || operand.length > filterValuesMax)
        throw unknown(`"${operator}" of "${name}" takes a list of at most ${filterValuesMax} values`);
      const wanted = operand.map((item) => scalarOf(name, operator, item));
      return (value) => isAmong(value, wanted) === (operator === '$in');
    }
    case '$gt':
      return compared(name, operator, operand, (a, b) => a > b);
    case '$gte':
      return compared(name, operator, operand, (a, b) => a >= b);
    case '$lt':
      return compared(name, operator, operand, (a, b) => a < b);
    case '$lte':
      return compared(name, operator, operand, (a, b) => a <= b);
    case '$exists':
      if (typeof operand !== 'boolean') throw unknown(`"$exists" of "${name}" takes true or false`);
      return (value) => (value !== undefined) === operand;
    default:
      throw unknown(`There is no "${operator}" here for "${name}"`);
  }
}

function scalarOf(name: string, operator: string, operand: unknown): Scalar {
  if (operand === null || ['string', 'number', 'boolean'].includes(typeof operand)) return operand as Scalar;
  throw unknown(`"${operator}" of "${name}" takes texts, numbers, true, false and null`);
}

/** Null matches a missing field, too. */
function isAmong(value: unknown, wanted: readonly Scalar[]): boolean {
  const candidates = Array.isArray(value) ? value : [value ?? null];
  return candidates.some((candidate) => wanted.some((item) => item === candidate));
}

/** A text compares with texts alone, and a number with numbers. */
function compared(
  name: string,
  operator: string,
  operand: unknown,
  holds: (a: string | number, b: string | number) => boolean,
): (value: unknown) => boolean {
  if (typeof operand !== 'string' && typeof operand !== 'number')
    throw unknown(`"${operator}" of "${name}" takes a text or a number`);
  return (value) => {
    const candidates: readonly unknown[] = Array.isArray(value) ? value : [value];
    return candidates.some((candidate) => {
      return typeof candidate === typeof operand && holds(candidate as string | number, operand);
    });
  };
}
