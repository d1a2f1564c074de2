import { CANONICAL_VALUES, type CanonicalValue, valueText } from './canonical-values.ts';
import type { TargetColumn } from './target.ts';
import type { Cell } from './try-cells.ts';

/** What became of all values in the columns of a target. */
export type Tried = readonly (readonly [TargetColumn, readonly Cell[]])[];

const EXAMPLES = 2;

/** The section of a target: of each type, the kinds of values that it takes, and examples of what it refuses of them. */
export function targetSection(name: string, tried: Tried): string {
  const lines = tried.map(([column, cells]) => {
    const kinds = [...Map.groupBy(cells, ({ value }) => value.kind)].filter(
      ([kind]) => kind !== 'null' && kind !== 'absent',
    );
    const taken = kinds.map(([kind, of]) => ({
      kind,
      of,
      refused: of.filter(({ verdict }) => verdict === 'refused'),
    }));
    const all = taken.filter(({ refused }) => refused.length === 0).map(({ kind }) => kind);
    const some = taken.filter(({ of, refused }) => refused.length > 0 && refused.length < of.length);
    return `| \`${column.name}\` | ${all.join(', ') || '–'} | ${some.map(({ kind, refused }) => `${kind} (not ${examplesOf(refused)})`).join('; ') || '–'} |`;
  });
  return [`## ${name}`, '', '| type | takes all of | takes some of |', '|---|---|---|', ...lines, ''].join(
    '\n',
  );
}

function examplesOf(cells: readonly Cell[]): string {
  const shown = cells.slice(0, EXAMPLES).map(({ value }) => exampleText(value));
  return `${shown.join(', ')}${cells.length > EXAMPLES ? ', …' : ''}`;
}

function exampleText({ value }: CanonicalValue): string {
  const text = valueText(value).replace(/\s/g, ' ');
  const short = text.length > 32 ? `${text.slice(0, 30)}…` : text;
  // A digit is no number, and a bar would end the cell.
  return `\`${short.replaceAll('|', '¦').replaceAll('`', "'")}\``;
}

const KIND_EXAMPLES = 4;

const RULES = `# What becomes of which value

A load puts a value into an existing column exactly, converts it by one of the rules below, or refuses its row with column, type and value (\`on_error\` decides what happens to that row). Nothing is rounded, cut or replaced unless the load says so: [\`lossy\`](../tasks/loads.md#values-that-may-lose-something).

This page is generated: every value of \`test/values/canonical-values.ts\` is loaded into every type of every target, in every way of loading, and into a new table that its load makes, and compared with what the engine itself shows.

## Rules

| value | into | becomes |
|---|---|---|
| true, false | a number | 1, 0 |
| 1, 0, and the text \`true\`, \`false\`, \`yes\`, \`no\`, \`1\`, \`0\` in any case | a boolean | true, false |
| text that reads as a number: digits with a sign, a point and, except for integers, an exponent; blanks around it | a number | that number: \`007\` is 7, \`1.50\` is 1.5 in an integer's or float's place |
| a whole double, a decimal such as \`7.00\` | an integer | that integer; −0 is 0 |
| a double | a decimal | its shortest text: \`0.1\`, not \`0.1000000000000000055\` |
| a decimal with zeros at the end | a decimal of a smaller scale | without these zeros |
| a decimal or an integer | a float | that float, where it shows the same digits or is the very same whole number; else it is refused |
| a number, true, false | text | as JSON writes it; \`NaN\`, \`Infinity\` and \`-Infinity\` by these names |
| an object or a list | text | its JSON |
| a day | a timestamp | its midnight in UTC |
| a timestamp at midnight in UTC | a day | that day; any other is refused |
| a timestamp with an offset | a column without a zone | the clock in UTC |
| a timestamp without an offset | a column with a zone | that moment in UTC |
| a time without an offset | a time with a zone | that time in UTC; a time with an offset other than zero never goes into a column without one |
| text that reads as a date, a time or a timestamp of ISO 8601 | a date or a time | that date or time |
| text that reads as a UUID, also in capitals, in braces or without hyphens | a UUID | its canonical text |
| text | JSON | the JSON that it is; text that is none is refused. A string inside a JSON value stays a string |
| a date or a time | JSON | a JSON string |
| a whole number | bits | its bits, with zeros in front |
| text with blanks at its end | a padded column (\`char(n)\`) | refused, unless it comes from such a column |
| bytes | anything but bytes | refused |
| text | bytes | refused; \`cast: {column: {type: binary, encoding: utf8}}\` makes bytes of it (also \`hex\` and \`base64\`) |
| empty text | a number, a date, a boolean, … | refused: it is not null. \`cast\` makes null of it |
| NaN, infinities, half a character, U+0000, characters beyond U+FFFF | a column without a place for them | refused |
| null | a column that takes it | null; the null of JSON is the same null |
| a key that the record lacks | | see [\`absent\`](../tasks/loads.md#keys-that-a-record-lacks) |

An enum takes its members by their text, letter by letter, and never by their place; a set any of them, joined by commas. Lists follow the rules element by element.

A field of MongoDB has no type, so that most values keep their own: whole numbers are \`int\`, \`long\` or, beyond 64 bits, \`decimal\`; decimals \`decimal\` of up to 34 digits; timestamps \`date\`, with milliseconds; days, times and odd timestamps stay text. Absent stays absent, and null null.

`;

/** What is said before the tables. */
export const VALUES_HEAD = `${RULES}| kind | such as |
|---|---|
${kindLines(CANONICAL_VALUES)}

A kind that is in neither column of a table below is refused as a whole.

`;

function kindLines(values: readonly CanonicalValue[]): string {
  return [...Map.groupBy(values, ({ kind }) => kind)]
    .map(([kind, of]) => `| ${kind} | ${of.slice(0, KIND_EXAMPLES).map(exampleText).join(', ')} |`)
    .join('\n');
}

const SECTION = /^(?=## (?!Rules$))/m;

/** The section of a target in the page; empty where it has none. */
export function sectionOf(page: string, target: string): string {
  const found = page.split(SECTION).find((part) => part.startsWith(`## ${target}\n`));
  return found === undefined ? '' : `${found.trimEnd()}\n`;
}

/** The page with this section in the place of the old one, or at its end; null: with this head. */
export function withSection(page: string, target: string | null, section: string): string {
  const [head = '', ...sections] = page.split(SECTION);
  if (target === null) return [section, ...sections].join('');
  const at = sections.findIndex((part) => part.startsWith(`## ${target}\n`));
  const made = at === -1 ? [...sections, section] : sections.with(at, section);
  return `${head}${made.map((part) => part.trimEnd()).join('\n\n')}\n`;
}
