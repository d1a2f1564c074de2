/** An encoding by the name that the WHATWG gives it, in lower case: `utf-8`, `windows-1252`, `shift_jis`. */
export type TextEncoding = string;

/** Of these a character may have several bytes, of which some look like ASCII. */
const LONGER = /^(?:utf-16|shift_jis|gb|big5|euc-|iso-2022)/;
/** Control characters that no text has: single bytes stand for them where an encoding has nothing better. */
const CONTROLS = /[\u0080-\u009f]/;

/** The encoding of a label such as `latin1`, `cp1252` or `UTF-16LE`, as browsers read it; null for one that nobody knows. */
export function encodingOf(label: string): TextEncoding | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Whether each character has one byte, and that of ASCII is its own. */
export function isSingleByte(encoding: TextEncoding): boolean {
  return encoding !== 'utf-8' && !LONGER.test(encoding);
}

/** Decodes a text piece by piece; null for bytes that the encoding does not have. */
export function strictDecoder(encoding: TextEncoding): (bytes: Uint8Array, isLast: boolean) => string | null {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const isUnicode = encoding.startsWith('utf-');
  return (bytes, isLast) => {
    try {
      const text = decoder.decode(bytes, { stream: !isLast });
      return isUnicode || !CONTROLS.test(text) ? text : null;
    } catch {
      return null;
    }
  };
}

/** What a byte order mark at the beginning says, and its length; null where there is none. */
export function markOf(head: Uint8Array): { readonly encoding: TextEncoding; readonly bytes: number } | null {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', bytes: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', bytes: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', bytes: 2 };
  return null;
}

/** The bytes of characters in an encoding of one byte each; null for an encoding of another kind. */
export function byteOfCharacter(encoding: TextEncoding): ReadonlyMap<string, number> | null {
  if (!isSingleByte(encoding)) return null;
  const bytes = new Map<string, number>();
  const decode = strictDecoder(encoding);
  for (let byte = 0; byte < 256; byte++) {
    const character = decode(Uint8Array.of(byte), true);
    if (character !== null) bytes.set(character, byte);
  }
  return bytes;
}
