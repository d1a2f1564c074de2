import { isRecord } from '../../../../base/json.ts';
import { special, type Value } from '../../../declare/value.ts';
import { type MapReader, typeName } from '../../../yaml/map-reader.ts';
import { nonEmpty } from './op-value.ts';

/** A field of the rows, and the one of other rows that goes with it. */
export interface FieldPair {
  readonly left: string;
  readonly right: string;
}

const PAIRS_MAX = 100;

/** Fields of the rows with those of other rows: a list where both have the same names, or a map `left: right`. */
export function fieldPairs(words: string): Value<readonly FieldPair[]> {
  const list = {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    uniqueItems: true,
    maxItems: PAIRS_MAX,
  };
  const pairs = {
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1 },
    minProperties: 1,
    maxProperties: PAIRS_MAX,
  };
  return { ...nonEmpty(special(words, { anyOf: [list, pairs] }, readPairs)), required: true };
}

function readPairs(reader: MapReader, key: string): readonly FieldPair[] {
  const value = reader.value(key);
  if (!Array.isArray(value) && !isRecord(value))
    return reader.wrong(key, `"${key}" must be a list of fields, or a map, not ${typeName(value)}`) ?? [];
  const pairs = Array.isArray(value) ? value.map((name) => [name, name] as const) : reader.entries(key);
  if (pairs.length > PAIRS_MAX) reader.wrong(key, `"${key}" has more than ${PAIRS_MAX} fields`);
  const lefts = new Set<unknown>();
  return pairs.flatMap(([left, right], index) => {
    const path = Array.isArray(value) ? reader.at(key, index) : reader.at(key, String(left));
    const isTwice = lefts.has(left);
    lefts.add(left);
    if (isTwice) reader.check.add(path, `"${String(left)}" is listed twice; keep one`);
    else if (typeof left === 'string' && left !== '' && typeof right === 'string' && right !== '')
      return [{ left, right }];
    else reader.check.add(path, `"${key}" must name fields, not ${typeName(right)}`);
    return [];
  });
}
