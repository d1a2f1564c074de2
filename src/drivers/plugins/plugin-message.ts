import { isRecord } from '../../base/json.ts';
import { ConnectorError, type Row } from '../driver.ts';
import { LongNumber, longNumber } from '../json/long-number.ts';
import { type Inexact, parseRecords } from '../json/parse-json.ts';

const SHOWN_CHARS = 300;
/** What a message begins with, also behind what another thread of the program wrote into its line. */
const BEGINS = /^\s*\{\s*"|\{\s*"type"\s*:\s*"RECORD"/;
/** Texts, and what Python and others write for numbers that JSON has no words for. */
const WORDS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity\b|\bNaN\b/g;
/** Numbers of a message that stand for such words: no program writes them. */
const NUMBERS: Readonly<Record<string, string>> = {
  NaN: '1e1000000001',
  Infinity: '1e1000000002',
  '-Infinity': '-1e1000000002',
};
const BY_NUMBER = new Map(
  Object.entries(NUMBERS).map(([word, number]) => [number, new LongNumber('number', word)]),
);
const inexact: Inexact = (source, value) => BY_NUMBER.get(source) ?? longNumber(source, value);

/**
 * The object that a line of a plug-in is; null for a line that is none, such as one of a log. `recordIn` finds the record in it, whose
 * fields may be of `LongNumber`. NaN and the infinities are read. Throws `TARGET` for a line that begins as a message and is none: a row
 * would be lost, or a state be kept that comes after it.
 */
export function pluginMessage(line: string, recordIn: (message: Row) => unknown): Row | null {
  if (!BEGINS.test(line)) return null;
  const recordsIn = (message: unknown) => (isRecord(message) ? [recordIn(message)] : []);
  try {
    return asObject(parseRecords(line, recordsIn).document);
  } catch (error) {
    const words = line.replace(WORDS, (word) => NUMBERS[word] ?? word);
    if (words === line) throw noMessage(line, error);
    try {
      return asObject(parseRecords(words, recordsIn, inexact).document);
    } catch {
      throw noMessage(line, error);
    }
  }
}

function asObject(message: unknown): Row | null {
  return isRecord(message) ? message : null;
}

/** The fault of a line that has to be a message. */
export function noMessage(line: string, cause?: unknown): ConnectorError {
  const why = cause instanceof Error ? ` (${cause.message.slice(0, 100)})` : '';
  const text = line.trim();
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return new ConnectorError('TARGET', `The plug-in wrote a line that is no whole message${why}: ${shown}`, {
    cause,
  });
}
