import type { DeadLetter } from '../../base/run-report.ts';
import type { Redactor } from '../../base/text/redactor.ts';
import { cutText, fieldsJson } from '../log/cut-line.ts';

/** JSON of one failed item; a larger one is stored as its beginning. */
export const ITEM_BYTES_MAX = 256 * 1024;
const BEGINNING_BYTES = 32 * 1024;
const MESSAGE_BYTES_MAX = 8 * 1024;

/** The letter as JSON can hold it and one message can carry it, without secrets. */
export function plainLetter(letter: DeadLetter, redactor: Redactor): DeadLetter {
  return {
    ...letter,
    item: plainItem(letter.item, redactor),
    message: cutText(redactor.text(letter.message), MESSAGE_BYTES_MAX),
  };
}

function plainItem(item: unknown, redactor: Redactor): unknown {
  const json = fieldsJson(item);
  if (json === null) return null;
  const plain: unknown = redactor.value(JSON.parse(json));
  const text = redactor.isActive ? JSON.stringify(plain) : json;
  const bytes = Buffer.byteLength(text);
  return bytes > ITEM_BYTES_MAX ? { cut: true, bytes, beginning: cutText(text, BEGINNING_BYTES) } : plain;
}
