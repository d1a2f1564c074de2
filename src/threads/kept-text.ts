/**
 * The text of a document is sent to a thread once: a task names it by its key, and a thread that does not have the document says so
 * (`TextNeeded`) and gets the task once more, with the text.
 */
export interface KeptText {
  /** The same text and variables always have the same key. */
  readonly documentKey: string;
  /** Null where the thread should have the document already. */
  readonly yaml: string | null;
}

/** Thrown in a thread that does not have the document of a key and was not sent its text. */
export class TextNeeded extends Error {
  override readonly name = 'TextNeeded';
}

/** The input of a task without its document's text; one that has none is left as it is. */
export function withoutText(input: object): object {
  const kept: Partial<KeptText> = input;
  return kept.documentKey === undefined ? input : { ...input, yaml: null };
}
