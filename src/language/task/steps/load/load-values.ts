import { isRecord } from '../../../../base/json.ts';
import { is, when, without } from '../../../declare/json-schema.ts';
import type { Rule } from '../../../declare/rules.ts';
import { special, type Value } from '../../../declare/value.ts';
import { authorsMap, oneOf } from '../../../declare/values.ts';
import { typeName } from '../../../yaml/map-reader.ts';

/** How a value may lose what its column has no place for. */
export const LOSSES = ['round', 'truncate'] as const;
export type Lossy = (typeof LOSSES)[number];

/** `lossy: {column: round | truncate}`. */
export const LOSSY = authorsMap<Readonly<Record<string, Lossy>>>(
  'Columns whose values may lose what the target column has no place for, by their name in the rows; the run counts them. `round`: digits of numbers and of seconds, half away from zero; `truncate`: cuts these off, and also clips text and bytes that are too long and drops the time of day from a date. Default: such a value is refused with its row.',
  { enum: [...LOSSES] },
  (reader, key) => {
    const lossy: Record<string, Lossy> = {};
    for (const [name, value] of reader.entries(key)) {
      const known = LOSSES.find((loss) => loss === value);
      if (known !== undefined) lossy[name] = known;
      else if (!reader.check.isPlaceholder(value)) {
        const given = typeof value === 'string' ? `"${value}"` : typeName(value);
        reader.check.add(reader.at(key, name), `"${name}" must be round or truncate, not ${given}`);
      }
    }
    return lossy;
  },
);

const ABSENT_MEANS = ['keep', 'null'] as const;

/** `absent: keep | null`. YAML reads `null` as nothing, which elsewhere is as good as no key. */
export const ABSENT: Value<(typeof ABSENT_MEANS)[number]> = special(
  'What a key that a record lacks means: `keep` (the default) leaves the column out, so that an update keeps what is there and an insert gets the column’s default; `null` writes null. With `scd2` a version is a whole row, so that it is always `null`. A table that the load creates, and a file of rows such as CSV and Parquet, have null either way.',
  { enum: [...ABSENT_MEANS, null] },
  (reader, key) => {
    if (!Object.hasOwn(reader.map, key)) return 'keep';
    if (reader.value(key) === null) return 'null';
    return MEANING.read(reader, key);
  },
);
const MEANING = oneOf('', ABSENT_MEANS, { default: 'keep' });

/** What two values lose may make one key of them. */
export const VALUES_OF_MODE: Rule = {
  check: (reader) => {
    const mode = reader.value('mode');
    if (mode === 'delete') {
      for (const key of ['lossy', 'absent'])
        if (Object.hasOwn(reader.map, key))
          reader.wrong(key, `"${key}" has no effect: "mode" is delete, which writes no rows`, 'key');
      return;
    }
    if (mode === 'scd2' && reader.value('absent') === 'keep')
      reader.wrong('absent', '"keep" has no effect: "mode" is scd2, whose versions are whole rows', 'key');
    const [lossy, key] = [reader.value('lossy'), reader.value('key')];
    if (!isRecord(lossy) || !Array.isArray(key)) return;
    for (const name of Object.keys(lossy))
      if (key.includes(name))
        reader.check.add(
          reader.at('lossy', name),
          `"${name}" is part of the "key": two keys that lose something may become one`,
        );
  },
  schemas: () => [
    when(is('mode', 'delete'), without('lossy', 'absent')),
    when(is('mode', 'scd2'), { properties: { absent: { enum: ['null', null] } } }),
  ],
};
