import { strictDecoder, type TextEncoding } from './text-encoding.ts';

/** Share of the characters beyond ASCII that must be those of the encoding's own languages. */
const OWN_SHARE = 0.95;

/** Encodings of several bytes or another alphabet, and the characters that texts in them have; tried in this order. */
const OTHERS: readonly (readonly [TextEncoding, RegExp])[] = [
  ['euc-jp', /[\u3040-\u30ff\u3001\u3002\u4e00-\u9fff]/],
  ['shift_jis', /[\u3040-\u30ff\u3001\u3002\u4e00-\u9fff]/],
  ['euc-kr', /[\uac00-\ud7a3]/],
  ['windows-1251', /[\u0410-\u044f\u0401\u0451]/],
  ['gbk', /[\u4e00-\u9fff\u3001\u3002\uff0c]/],
];
/** Bytes of letters and signs of Western European languages in windows-1252. */
const WESTERN =
  /^[\u20ac\u201a\u201e\u2026\u2018-\u201d\u2013\u2014\u0152\u0153\u0160\u0161\u017d\u017e\u2122\u00a0-\u00bf\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]$/;

/** A legacy encoding that bytes which are no UTF-8 are likely to be in; null where none suggests itself. A guess, to be looked at. */
export function likelyEncoding(bytes: Uint8Array): TextEncoding | null {
  return westernOf(bytes) ?? otherOf(bytes);
}

/** UTF-16 without a byte order mark, from the beginning of a file: every second byte of most texts is zero. null for anything else. */
export function utf16Of(bytes: Uint8Array): TextEncoding | null {
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = bytes.length * 0.4;
  return odd * 2 > most && even === 0 ? 'utf-16le' : even * 2 > most && odd === 0 ? 'utf-16be' : null;
}

/** In Western languages letters beyond ASCII stand alone among others. */
function westernOf(bytes: Uint8Array): TextEncoding | null {
  const text = strictDecoder('windows-1252')(bytes, true);
  if (text === null) return null;
  const strange = [...text].filter((character) => character > '\u007f');
  const runs = text.match(/[^\0-\u007f]+/g)?.length ?? 0;
  return strange.every((character) => WESTERN.test(character)) && strange.length <= runs * 2
    ? 'windows-1252'
    : null;
}

function otherOf(bytes: Uint8Array): TextEncoding | null {
  for (const [encoding, own] of OTHERS) {
    const text = strictDecoder(encoding)(bytes, true);
    if (text === null) continue;
    const strange = [...text].filter((character) => character > '\u007f');
    if (strange.filter((character) => own.test(character)).length >= strange.length * OWN_SHARE)
      return encoding;
  }
  return null;
}
