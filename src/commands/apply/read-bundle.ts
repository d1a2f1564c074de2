import { createReadStream } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { BUNDLE_LIMITS } from '../../language/bundle/bundle.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';

/** A bundle as a body of `POST /api/import` has it. */
export type BundleText = { readonly bundle: string } | { readonly bundle_zip: string };

const STANDARD_INPUT = '-';
/** Every zip begins so, one without files too. */
const ZIP_BEGINS = Buffer.from('PK');

/** The bundle in a file, or on standard input for `-`; what begins as a zip does is one. `CommandError` where there is none. */
export async function readBundle(file: string): Promise<BundleText> {
  const name = file === STANDARD_INPUT ? 'The bundle on standard input' : `The bundle "${file}"`;
  const bytes = await readUpTo(BUNDLE_LIMITS.bytesMax, file, name);
  if (bytes.length === 0) throw new CommandError(EXIT.usage, `${name} is empty`);
  if (bytes.subarray(0, ZIP_BEGINS.length).equals(ZIP_BEGINS))
    return { bundle_zip: bytes.toString('base64') };
  try {
    return { bundle: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (cause) {
    throw new CommandError(EXIT.usage, `${name} is neither a zip nor text in UTF-8`, { cause });
  }
}

async function readUpTo(bytesMax: number, file: string, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    const source = file === STANDARD_INPUT ? process.stdin : createReadStream(file);
    for await (const chunk of source as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > bytesMax) break;
    }
  } catch (cause) {
    throw new CommandError(EXIT.usage, `${name} cannot be read: ${messageOf(cause)}`, { cause });
  }
  if (size > bytesMax) throw new CommandError(EXIT.usage, `${name} is larger than ${bytesMax} bytes`);
  return Buffer.concat(chunks);
}
