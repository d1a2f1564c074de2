const GRAPHEMES = new Intl.Segmenter();
/** What terminals draw two columns wide. Source: Unicode Standard Annex 11, by scripts. */
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303f\uff01-\uff60]/u;
const ZERO = /^(?:\p{Mark}|\p{Format})+$/u;
const PLAIN = /^[ -~]*$/;

/** Columns that a terminal needs for one line of text. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return charsOf(text).reduce((sum, char) => sum + charWidth(char), 0);
}

/** The beginning of a text, at most so wide, and the rest. No character is divided. */
export function splitAtWidth(text: string, width: number): readonly [start: string, rest: string] {
  let used = 0;
  let start = '';
  for (const char of charsOf(text)) {
    used += charWidth(char);
    if (used > width) break;
    start += char;
  }
  return [start, text.slice(start.length)];
}

function charsOf(text: string): string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
}

function charWidth(char: string): number {
  if (ZERO.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}
