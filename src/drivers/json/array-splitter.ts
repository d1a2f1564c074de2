const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/** What `feed` found: the text of whole elements, with commas between, and whether more follow a comma. */
export interface ElementsPart {
  readonly text: string;
  readonly isLast: boolean;
}

/**
 * Cuts the text of one JSON array, which comes in pieces, between elements. It only counts brackets and skips strings;
 * whether the elements are JSON is for who parses them. States: before the `[`, inside, after the `]`.
 */
export class ArraySplitter {
  #state: 'before' | 'inside' | 'after' = 'before';
  /** From the beginning of the element that is not whole yet. */
  #rest = '';
  #at = 0;
  #depth = 0;
  #inString = false;

  get isComplete(): boolean {
    return this.#state === 'after';
  }

  get restChars(): number {
    return this.#rest.length;
  }

  /** Throws `SyntaxError` where the text is no array. */
  feed(text: string): ElementsPart | null {
    let from = text;
    if (this.#state === 'before') {
      from = text.trimStart();
      if (from === '') return null;
      if (from[0] !== '[') throw new SyntaxError('the document is not a list');
      from = from.slice(1);
      this.#state = 'inside';
    }
    if (this.#state === 'after') {
      if (text.trim() !== '') throw new SyntaxError('there is text after the end of the list');
      return null;
    }
    const whole = this.#rest + from;
    const cut = this.#scan(whole);
    if (this.isComplete) {
      this.#rest = '';
      if (whole.slice(cut + 1).trim() !== '')
        throw new SyntaxError('there is text after the end of the list');
      return { text: whole.slice(0, cut), isLast: true };
    }
    if (cut === -1) {
      this.#rest = whole;
      return null;
    }
    this.#rest = whole.slice(cut + 1);
    this.#at -= cut + 1;
    return { text: whole.slice(0, cut), isLast: false };
  }

  /** Goes on at `#at`; gives the place of the closing bracket, else of the last comma between elements, else -1. */
  #scan(text: string): number {
    let comma = -1;
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (this.#inString) {
        if (code === BACKSLASH) this.#at++;
        else if (code === QUOTE) this.#inString = false;
      } else if (code === QUOTE) this.#inString = true;
      else if (code === COMMA && this.#depth === 0) comma = this.#at;
      else if (OPENING.has(code)) this.#depth++;
      else if (CLOSING.has(code)) {
        if (this.#depth === 0) {
          this.#state = 'after';
          return this.#at;
        }
        this.#depth--;
      }
    }
    return comma;
  }
}

/** The texts of the elements of such a part, cut at the commas between them. */
export function elementTexts(text: string): string[] {
  const texts: string[] = [];
  let from = 0;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (OPENING.has(code)) depth++;
    else if (CLOSING.has(code)) depth--;
    else if (code === COMMA && depth === 0) {
      texts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  texts.push(text.slice(from));
  return texts;
}
