/**
 * The text of a document is sent to a thread once: a call names it by its key, and a thread that does not have the document says so
 * (`TextNeeded`) and gets the call once more, with the text.
 */
export interface DocumentText {
  /** Of the dashboard's id and version: the same document always has the same key. */
  readonly documentKey: string;
  /** The parsed document as JSON; null where the thread should have it already. */
  readonly document: string | null;
}

/** Thrown in a thread that does not have the document of a key and was not sent its text. */
export class TextNeeded extends Error {
  override readonly name = 'TextNeeded';
}

/** The input of a call without its document's text; one that has none is left as it is. */
export function withoutText(input: object): object {
  const named: Partial<DocumentText> = input;
  return named.documentKey === undefined ? input : { ...input, document: null };
}
