import { strictBytes } from '../../../base/values/strict-base64.ts';
import type { Encoding } from '../../../language/task/cast/cast-values.ts';
import { CastError } from './cast-error.ts';

const HEX = /^(?:[0-9a-f]{2})*$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text as bytes, which travel as base64. Throws `CastError` for text that is not written so. */
export function bytesOf(encoding: Encoding): (value: unknown) => string | null {
  const bytes = (text: string): Buffer | null => {
    switch (encoding) {
      case 'utf8':
        return text.isWellFormed() ? Buffer.from(text, 'utf8') : null;
      case 'hex':
        return HEX.test(text) ? Buffer.from(text, 'hex') : null;
      case 'base64':
        return strictBytes(text);
      default:
        return encoding satisfies never;
    }
  };
  return (value) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    const found = typeof value === 'string' ? bytes(value) : null;
    if (found === null) throw new CastError('binary', value, ` written as ${encoding}`);
    return found.toString('base64');
  };
}

/** Bytes as text. Throws `CastError` for what is no bytes, and for bytes that are no text of UTF-8. */
export function textOfBytes(encoding: Encoding): (value: unknown) => string | null {
  return (value) => {
    if (value === null || value === undefined) return null;
    const bytes =
      value instanceof Uint8Array
        ? Buffer.from(value)
        : typeof value === 'string'
          ? strictBytes(value)
          : null;
    if (bytes === null) throw new CastError('string', value, `: bytes become text by an "encoding"`);
    if (encoding !== 'utf8') return bytes.toString(encoding);
    try {
      return utf8.decode(bytes);
    } catch {
      throw new CastError('string', value, ' written as utf8');
    }
  };
}
