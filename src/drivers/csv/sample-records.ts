const QUOTE = '"';

/** The end of a quoted field that begins at `from`, past its quote, and its text; an open one ends with the sample. */
function quotedField(sample: string, from: number): { readonly text: string; readonly at: number } {
  let at = from;
  for (;;) {
    const quote = sample.indexOf(QUOTE, at);
    if (quote === -1) return { text: sample.slice(from).replaceAll('""', QUOTE), at: sample.length };
    if (sample[quote + 1] !== QUOTE)
      return { text: sample.slice(from, quote).replaceAll('""', QUOTE), at: quote + 1 };
    at = quote + 2;
  }
}

function fieldEnd(sample: string, from: number, delimiter: string): number {
  let at = from;
  for (; at < sample.length; at++) {
    const character = sample[at];
    if (character === delimiter || character === '\n' || character === '\r') break;
  }
  return at;
}

/**
 * The first records of a sample as texts, however many fields they have: for finding the delimiter, the header and the
 * types. A record that the sample cuts is left out, unless `isWhole` says that nothing follows. Never throws.
 */
export function sampleRecords(
  sample: string,
  delimiter: string,
  recordsMax: number,
  isWhole: boolean,
): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < sample.length && records.length < recordsMax; ) {
    if (sample[at] === QUOTE) {
      const quoted = quotedField(sample, at + 1);
      record.push(quoted.text);
      at = fieldEnd(sample, quoted.at, delimiter);
    } else {
      const end = fieldEnd(sample, at, delimiter);
      record.push(sample.slice(at, end));
      at = end;
    }
    const hasNext = sample[at] === delimiter;
    if (hasNext && at + 1 < sample.length) {
      at++;
      if (sample[at] !== '\n' && sample[at] !== '\r') continue;
    }
    if (hasNext) record.push('');
    if (at >= sample.length && !isWhole) break;
    at += sample[at] === '\r' && sample[at + 1] === '\n' ? 2 : 1;
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  }
  return records;
}
