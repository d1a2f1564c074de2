import type { Row } from '../../driver.ts';

const SPECIAL = /[\\\n\r\t]/;
const SPECIALS = /[\\\n\r\t]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** No value, where rows are lines of text. */
export const NULL_TEXT = '\\N';

/** A text as a field of a line whose fields end in a tab: what COPY of PostgreSQL and LOAD DATA of MySQL read alike. */
export function escapeText(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, (char) => ESCAPED[char] as string) : text;
}

/** One row as a line, its end included. */
export type RowText = (row: Row) => string;
/** A value as a field of a line. */
export type CellText = (value: unknown) => string;

/** Compiles the writer of lines: code that names its columns reads them several times as fast as a loop over their names. */
export function compileRowText(names: readonly string[], cells: readonly CellText[]): RowText {
  if (names.length === 0) return () => '\n';
  const used = [...new Set(cells)];
  const declared = used.map((_, index) => `c${index}=c[${index}]`).join(',');
  const texts = names.map((name, index) => {
    return `c${used.indexOf(cells[index] as CellText)}(row[${JSON.stringify(name)}])`;
  });
  const source = `const ${declared};return (row)=>${texts.join("+'\\t'+")}+'\\n';`;
  return new Function('c', source)(used) as RowText;
}
