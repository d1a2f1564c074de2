/** The beginning of a CSV file, without what stands above its header. */
export interface CsvBegin {
  /** Its first characters. */
  readonly sample: string;
  /** The line on which it begins, from 1. */
  readonly firstLine: number;
  /** What a line such as `sep=;` says, which Excel writes and reads; null without one. */
  readonly delimiter: string | null;
}

const SEPARATOR_LINE = /^sep=([^\r\n])(?:\r\n|\n|\r)/i;
const LINE = /^[^\r\n]*(?:\r\n|\r(?!$)|\n)/;

/** Takes what it needs of the text: a line that names the delimiter, and `skipRows` lines after it. */
export async function beginOf(
  chunks: AsyncGenerator<string, void, undefined>,
  skipRows: number,
): Promise<CsvBegin> {
  let sample = await nextOf(chunks);
  const found = SEPARATOR_LINE.exec(sample);
  if (found !== null) sample = sample.slice(found[0].length);
  for (let left = skipRows; left > 0; ) {
    const line = LINE.exec(sample);
    if (line !== null) {
      sample = sample.slice(line[0].length);
      left--;
      continue;
    }
    const more = await nextOf(chunks);
    // The last line has no end.
    if (more === '') return { sample: '', firstLine: 1, delimiter: found?.[1] ?? null };
    sample += more;
  }
  return { sample, firstLine: 1 + skipRows + (found === null ? 0 : 1), delimiter: found?.[1] ?? null };
}

async function nextOf(chunks: AsyncGenerator<string, void, undefined>): Promise<string> {
  const next = await chunks.next();
  return next.done === true ? '' : next.value;
}
