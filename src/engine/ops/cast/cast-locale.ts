/** The marks that a locale writes numbers with. */
interface Marks {
  readonly decimal: string;
  readonly group: string;
  /** The digits of a group between marks: two in India, else three. */
  readonly inner: number;
}

const SAMPLE = -1_234_567.5;
const SPACES = '\\s\\u00a0\\u202f';
const APOSTROPHES = "'\\u2019";

/**
 * Rewrites a number as the locale has it (`1.234,56` in `de`) to plain digits with a point; null where it is not written so. Marks
 * of thousands may be left out, but where they stand they must stand right: `1.5` is no number in `de`. Any space stands for a
 * mark that is a space, and any apostrophe for one that is an apostrophe.
 */
export function localeNumber(locale: string): (text: string) => string | null {
  const { decimal, group, inner } = marksOf(locale);
  const isSpace = group.trim() === '';
  const mark = isSpace ? `[${SPACES}]` : /['’]/.test(group) ? `[${APOSTROPHES}]` : RegExp.escape(group);
  const form = new RegExp(
    `^([+\\-\\u2212]?)(\\d{1,3}(?:${mark}\\d{${inner}})*${mark}\\d{3}|\\d+)(?:${RegExp.escape(decimal)}(\\d+))?$`,
    'u',
  );
  const marks = new RegExp(mark, 'gu');
  return (text) => {
    const match = form.exec(text);
    if (match === null) return null;
    const [, sign = '', whole = '', fraction] = match;
    const minus = sign === '' || sign === '+' ? '' : '-';
    return `${minus}${whole.replace(marks, '')}${fraction === undefined ? '' : `.${fraction}`}`;
  };
}

function marksOf(locale: string): Marks {
  const options = { useGrouping: 'always', numberingSystem: 'latn' } as const;
  const parts = new Intl.NumberFormat(locale, options).formatToParts(SAMPLE);
  const markOf = (type: string) => parts.find((part) => part.type === type)?.value;
  const [, inner] = parts.filter(({ type }) => type === 'integer');
  return {
    decimal: markOf('decimal') ?? '.',
    group: markOf('group') ?? ',',
    inner: inner?.value.length ?? 3,
  };
}
