import { ConnectorError } from '../driver.ts';

/**
 * A value as JSON; undefined for what JSON has no word for. Throws `DATA` for one that is nested more deeply than can be written: reading
 * knows no such bound.
 */
export function jsonText(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
): string | undefined {
  try {
    return JSON.stringify(value, replacer);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConnectorError('DATA', 'A value is nested too deeply to be written as JSON', { cause: error });
  }
}
