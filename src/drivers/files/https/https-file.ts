import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError } from '../../driver.ts';
import { expandedName } from '../compression.ts';
import { memoryFile } from '../memory-file.ts';
import type { OpenedFile } from '../storage/file-storage.ts';
import { rangeReads } from '../storage/range-reader.ts';
import { openSpool } from '../storage/spool-file.ts';
import type { FileAnswer, HttpsServer } from './https-server.ts';

/** Bytes of the first request: what formats look at before they read on. */
const HEAD_BYTES = 256 * 1024;
const TRIES = 4;
const WAIT_MS = 250;
const HTML = /^(?:\uFEFF)?\s*<(?:!doctype\s+html|html[\s>])/i;

interface Source {
  readonly server: HttpsServer;
  readonly url: URL;
  readonly name: string;
}

/** What must stay the same while a file is read. */
function versionOf({ headers }: FileAnswer, sizeBytes: number): string {
  return `${headers.get('etag') ?? headers.get('last-modified') ?? ''}:${sizeBytes}`;
}

/** The size in `bytes 0-99/1234`; null where it is not told. */
function sizeIn(headers: Headers): number | null {
  const [, size] = /^bytes\s+(?:\d+-\d+|\*)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  return size === undefined ? null : Number(size);
}

async function readAll(answer: FileAnswer, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}

function refuseHtml(head: Uint8Array, name: string): void {
  if (!HTML.test(Buffer.from(head.subarray(0, 512)).toString('utf8'))) return;
  throw new ConnectorError(
    'CONFIG',
    `The server answered with a web page instead of "${name}", possibly a sign-in page: check the address and "header_value"`,
  );
}

/** A file of a server, read in ranges where it gives some, and else from a copy on the disk of this machine. */
export async function openHttpsFile(source: Source): Promise<OpenedFile> {
  const { server, url, name } = source;
  const range = `bytes=0-${HEAD_BYTES - 1}`;
  const answer = await server.ask({ url, name, headers: { range }, understood: [416] });
  const sizeBytes = sizeIn(answer.headers);
  if (answer.status === 416) {
    await answer.close();
    // An empty file has no first byte.
    if (sizeBytes === 0) return memoryFile(name, Buffer.alloc(0));
    return wholeFile(source, await server.ask({ url, name }));
  }
  if (answer.status !== 206) return wholeFile(source, answer);
  // A range of a compressed answer cannot be decompressed by itself.
  if (sizeBytes === null || answer.headers.has('content-encoding')) {
    await answer.close();
    return wholeFile(source, await server.ask({ url, name }));
  }
  const head = await readAll(answer, HEAD_BYTES);
  refuseHtml(head, name);
  const version = versionOf(answer, sizeBytes);
  const fetchRange = async (from: number, length: number) => {
    if (from + length <= head.length) return head.subarray(from, from + length);
    return rangeOf(source, { from, length, version, sizeBytes });
  };
  const read = rangeReads(sizeBytes, fetchRange);
  return { name, path: null, handle: { read, close: async () => undefined }, sizeBytes, version };
}

interface WantedRange {
  readonly from: number;
  readonly length: number;
  readonly version: string;
  readonly sizeBytes: number;
}

/** Bytes of the version that was opened. A connection that breaks in the middle is tried again. */
async function rangeOf({ server, url, name }: Source, wanted: WantedRange): Promise<Buffer> {
  const { from, length, version, sizeBytes } = wanted;
  const range = `bytes=${from}-${from + length - 1}`;
  for (let tries = 1; ; tries++) {
    const answer = await server.ask({ url, name, headers: { range }, understood: [416] });
    if (
      answer.status !== 206 ||
      sizeIn(answer.headers) !== sizeBytes ||
      versionOf(answer, sizeBytes) !== version
    ) {
      await answer.close();
      throw new ConnectorError('UNAVAILABLE', `The file "${name}" changed while it was read`);
    }
    try {
      const bytes = await readAll(answer, length);
      if (bytes.length === length) return bytes;
    } catch (error) {
      if (!(error instanceof ConnectorError) || tries === TRIES) throw error;
    }
    if (tries === TRIES)
      throw new ConnectorError('UNAVAILABLE', `The server sent less of "${name}" than announced`);
    await sleep(WAIT_MS * tries);
  }
}

async function wholeFile({ name }: Source, answer: FileAnswer): Promise<OpenedFile> {
  const file = await openSpool(name);
  try {
    let sizeBytes = 0;
    for await (const bytes of answer.body) {
      if (sizeBytes === 0) refuseHtml(bytes, name);
      await file.writeFile(bytes);
      sizeBytes += bytes.length;
    }
    const encoding = answer.headers.get('content-encoding') ?? 'identity';
    const announced = Number(answer.headers.get('content-length') ?? sizeBytes);
    if (encoding === 'identity' && announced !== sizeBytes)
      throw new ConnectorError('UNAVAILABLE', `The server sent less of "${name}" than announced`);
    return {
      // Servers may tell of the compression of a file as of one for the way, which is undone by now.
      name: encoding === 'identity' ? name : expandedName(name),
      path: null,
      handle: file,
      sizeBytes,
      version: versionOf(answer, sizeBytes),
    };
  } catch (error) {
    await file.close();
    await answer.close();
    throw error;
  }
}
