import { ConnectorError } from '../../driver.ts';
import { badBytes } from '../../files/encoding/bad-bytes.ts';
import { encodingOf, markOf, strictDecoder, type TextEncoding } from '../../files/encoding/text-encoding.ts';
import { memoryFile } from '../../files/memory-file.ts';
import type { HttpAnswer } from '../exchange.ts';

type Encoded = Pick<HttpAnswer, 'body' | 'headers'>;

const CHARSET = /charset\s*=\s*"?([^";\s]+)/i;
const DECLARED = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["']/;
const HEAD_BYTES = 1_024;

/**
 * The text of an answer, without a byte order mark. Its encoding is `given`, or what a byte order mark says, else `Content-Type`, else the
 * declaration of an XML document, else UTF-8. `DATA` for bytes that the encoding does not have, and for an encoding that nobody knows.
 */
export async function answerText(answer: Encoded, given: string | null = null): Promise<string> {
  const { body } = answer;
  const encoding = encodingIn(answer, given);
  const text = strictDecoder(encoding)(body, true);
  if (text !== null) return text.startsWith('\uFEFF') ? text.slice(1) : text;
  const remedy = (likely: TextEncoding | null) =>
    `set "encoding" of the resource${likely === null ? ' to the one it is in' : ` to ${likely} if that is right`}`;
  throw await badBytes(memoryFile('answer', body), encoding, remedy, "The API's answer");
}

function encodingIn({ body, headers }: Encoded, given: string | null): TextEncoding {
  const mark = markOf(body.subarray(0, 3));
  if (given === null && mark !== null) return mark.encoding;
  const declared = DECLARED.exec(body.toString('latin1', 0, HEAD_BYTES))?.[1];
  const label = given ?? CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? declared ?? 'utf-8';
  const encoding = encodingOf(label);
  if (encoding === null)
    throw new ConnectorError(
      'DATA',
      `The API's answer is in the encoding "${label.slice(0, 100)}", which nobody knows: set "encoding" of the resource`,
    );
  return encoding;
}
