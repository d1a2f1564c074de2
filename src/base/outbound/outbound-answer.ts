import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliDecompress,
  gunzip,
  inflate,
  type ZlibOptions,
  type ZstdDecompress,
  type ZstdOptions,
  zstdDecompress,
} from 'node:zlib';
import type { Dispatcher } from 'undici';
import { OutboundError, tooLarge } from './outbound-error.ts';

export interface OutboundRequest {
  readonly method: Dispatcher.HttpMethod;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer whose body has been read to its end and decompressed. */
export interface OutboundAnswer {
  readonly status: number;
  /** Lower-case names; a header that came several times is one text, joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

interface ZstdFrame {
  readonly buffer: Buffer;
  readonly engine: ZstdDecompress;
}

const decodeFrame = promisify<Buffer, ZstdOptions, ZstdFrame>(
  zstdDecompress as unknown as (
    bytes: Buffer,
    options: ZstdOptions,
    done: (error: Error | null, frame: ZstdFrame) => void,
  ) => void,
);

/** Node ends with the first frame, without an error: an answer may have several. */
const decodeZstd: Decode = async (bytes, { maxOutputLength }) => {
  const parts: Buffer[] = [];
  let length = 0;
  for (let rest = bytes; rest.byteLength > 0; ) {
    const { buffer, engine } = await decodeFrame(rest, { maxOutputLength, info: true });
    length += buffer.byteLength;
    if (length > maxOutputLength)
      throw Object.assign(new RangeError('Too long'), { code: 'ERR_BUFFER_TOO_LARGE' });
    parts.push(buffer);
    rest = rest.subarray(engine.bytesWritten);
  }
  return Buffer.concat(parts, length);
};

const decodeGzip: Decode = promisify<Buffer, ZlibOptions, Buffer>(gunzip);
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: decodeGzip,
  'x-gzip': decodeGzip,
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
  br: promisify<Buffer, BrotliOptions, Buffer>(brotliDecompress),
  zstd: decodeZstd,
};

/** As the header `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, br, zstd';

/** The body without its content encodings, given as the header names them. `OUTBOUND_TOO_LARGE` where it becomes larger than `bytesMax`. */
export async function decoded(bytes: Buffer, encodings: string, bytesMax: number): Promise<Buffer> {
  let found = bytes;
  const names = encodings.split(',').map((name) => name.trim().toLowerCase());
  for (const name of names.reverse()) {
    if (name === '' || name === 'identity' || found.byteLength === 0) continue;
    const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (decode === undefined)
      throw new OutboundError(
        'OUTBOUND_FAILED',
        `The answer has the unknown content encoding "${name.slice(0, 40)}"`,
      );
    try {
      found = await decode(found, { maxOutputLength: bytesMax });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(bytesMax);
      throw new OutboundError('OUTBOUND_FAILED', `The answer is not valid ${name}`, cause);
    }
  }
  return found;
}
