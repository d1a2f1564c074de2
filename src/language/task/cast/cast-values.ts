import { has, is, when } from '../../declare/json-schema.ts';
import type { Rule } from '../../declare/rules.ts';
import { special, type Value } from '../../declare/value.ts';
import { oneOf } from '../../declare/values.ts';

const ENCODINGS = ['utf8', 'hex', 'base64'] as const;
/** How bytes are written as text. */
export type Encoding = (typeof ENCODINGS)[number];

export const ENCODING = oneOf(
  'How the bytes of a `binary` are written as text; text that is not written so is refused. Of a `string`: how the bytes of a binary field become text.',
  ENCODINGS,
);

const NON_FINITE = ['refuse', 'null', 'keep'] as const;
export type NonFinite = (typeof NON_FINITE)[number];
const MEANING = oneOf('', NON_FINITE, { default: 'refuse' });

/** `non_finite: refuse | null | keep`. YAML reads `null` as nothing, which elsewhere is as good as no key. */
export const NON_FINITE_MEANS: Value<NonFinite> = special(
  'What NaN and the infinities become: `refuse` (the default) fails the row, `null` makes them null, `keep` leaves them to the target.',
  { enum: [...NON_FINITE, null] },
  (reader, key) => {
    if (!Object.hasOwn(reader.map, key)) return 'refuse';
    if (reader.value(key) === null) return 'null';
    return MEANING.read(reader, key);
  },
);

/** Text never becomes bytes by a guess. */
export const ENCODING_OF_BINARY: Rule = {
  check: (reader) => {
    if (reader.value('type') === 'binary' && !reader.has('encoding'))
      reader.wrong('encoding', '"encoding" is required: text becomes bytes by utf8, hex or base64');
  },
  schemas: () => [when(is('type', 'binary'), has('encoding'))],
};
