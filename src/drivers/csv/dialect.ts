import { ConnectorError } from '../driver.ts';
import { sampleRecords } from './sample-records.ts';

const NAMED: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['\\t', '\t'],
  ['comma', ','],
  ['semicolon', ';'],
  ['pipe', '|'],
  ['space', ' '],
]);
const COMMON = [',', ';', '\t', '|'];
/** Records of the sample that decide the delimiter. */
const sniffedRecordsMax = 100;

/** The character of a delimiter as people write it: `;`, `tab`, `\t`. Throws `CONFIG`. */
export function delimiterOf(text: string): string {
  const delimiter = NAMED.get(text.toLowerCase()) ?? text;
  if (delimiter.length !== 1 || /["\r\n\uFEFF]/.test(delimiter)) {
    throw new ConnectorError(
      'CONFIG',
      `The delimiter "${text}" is not one character, or a name such as "tab"`,
    );
  }
  return delimiter;
}

/** How messages write a delimiter. */
export function delimiterName(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : delimiter;
}

/**
 * Finds the delimiter of a sample: of comma, semicolon, tab and pipe the one by which the most records have as many
 * fields as the first; among equals the one that gives more fields. A comma when none gives two.
 */
export function sniffDelimiter(sample: string, isWhole: boolean): string {
  let best = { delimiter: ',', share: 0, width: 1 };
  for (const delimiter of COMMON) {
    const records = sampleRecords(sample, delimiter, sniffedRecordsMax, isWhole);
    const width = records[0]?.length ?? 0;
    if (width < 2) continue;
    const share = records.filter((record) => record.length === width).length / records.length;
    if (share > best.share || (share === best.share && width > best.width))
      best = { delimiter, share, width };
  }
  return best.delimiter;
}

/**
 * What suggests that the first line is a title and not the header: it has one field, and all that follow have as many, of more than one, by
 * another delimiter. null where nothing does.
 */
export function titleProblem(
  sample: string,
  records: readonly (readonly string[])[],
  isWhole: boolean,
): string | null {
  const [header, ...rest] = records;
  if (header?.length !== 1 || rest.length < 2) return null;
  for (const delimiter of COMMON) {
    const [, second, ...others] = sampleRecords(sample, delimiter, sniffedRecordsMax, isWhole);
    const width = second?.length ?? 0;
    if (width < 2 || others.length === 0 || others.some((record) => record.length !== width)) continue;
    return `is read as one column, "${header[0]}", while the lines below have ${width} fields with "${delimiterName(delimiter)}" between: if the first is a title, set "skip_rows"`;
  }
  return null;
}

/**
 * Refuses a delimiter that makes one column of a header which another common delimiter would cut. It is for delimiters
 * that were not given with the call itself: who gives one there means it. Throws `CONFIG`.
 */
export function refuseWrongDelimiter(name: string, header: readonly string[], delimiter: string): void {
  const only = header[0];
  if (header.length !== 1 || only === undefined) return;
  const other = COMMON.find((candidate) => candidate !== delimiter && only.includes(candidate));
  if (other === undefined) return;
  throw new ConnectorError(
    'CONFIG',
    `With the delimiter "${delimiterName(delimiter)}" the file "${name}" has one column, and its header contains ` +
      `"${delimiterName(other)}": set "delimiter" to "${delimiterName(other)}"`,
  );
}
