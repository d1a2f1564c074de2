import { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { ConnectorError } from '../../driver.ts';
import { expandedBytesFree, expansionMax } from '../../files/expanded-file.ts';
import { fileFault } from '../../files/local/file-fault.ts';
import type { OpenedFile } from '../../files/storage/file-storage.ts';

/** Most parts of a workbook. */
export const archivePartsMax = 10_000;
const blockBytes = 256 * 1024;
/** Of a compound file: its magic number, the place of its first directory sector, and what is looked at of that. */
const COMPOUND = { magic: 'd0cf11e0a1b11ae1', sectorAt: 48, headBytes: 512, directoryBytes: 4_096 };

async function* blocksOf(
  file: OpenedFile,
  start: number,
  end: number,
): AsyncGenerator<Buffer, void, undefined> {
  for (let at = start; at < end; ) {
    const block = Buffer.allocUnsafe(Math.min(blockBytes, end - at));
    const { bytesRead } = await file.handle.read(block, 0, block.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}

class FileReader extends yauzl.RandomAccessReader {
  readonly #file: OpenedFile;

  constructor(file: OpenedFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(blocksOf(this.#file, start, end), { objectMode: false });
  }
}

export function noWorkbook(file: OpenedFile, why: string, cause?: unknown): ConnectorError {
  return new ConnectorError('DATA', `The file "${file.name}" is not a readable Excel workbook: ${why}`, {
    cause,
  });
}

/** Old workbooks and encrypted ones are compound files, with the names of their streams in UTF-16. */
async function refuseCompound(file: OpenedFile): Promise<void> {
  const head = Buffer.alloc(COMPOUND.headBytes);
  await file.handle.read(head, 0, head.length, 0);
  if (head.toString('hex', 0, 8) !== COMPOUND.magic) return;
  const sectorBytes = 2 ** Math.min(head.readUInt16LE(30), 16);
  const directory = Buffer.alloc(COMPOUND.directoryBytes);
  const sector = head.readUInt32LE(COMPOUND.sectorAt);
  await file.handle.read(directory, 0, directory.length, (sector + 1) * sectorBytes);
  if (directory.includes(Buffer.from('EncryptedPackage', 'utf16le')))
    throw new ConnectorError(
      'CONFIG',
      `The workbook "${file.name}" is encrypted: save it without a password`,
    );
  const isOld = ['Workbook', 'Book'].some((name) => directory.includes(Buffer.from(`${name}\0`, 'utf16le')));
  throw isOld
    ? new ConnectorError(
        'CONFIG',
        `The file "${file.name}" is a workbook of Excel 97 to 2003 (.xls): save it as .xlsx`,
      )
    : noWorkbook(file, 'it is a document of another program');
}

/** The parts of a workbook, by their paths. The caller closes the file. */
export interface Archive {
  readonly file: OpenedFile;
  has(path: string): boolean;
  /** The contents of a part; those of more than `bytesMax` are refused. Errors of the stream go through `archiveFault`. */
  open(path: string, bytesMax?: number): Promise<Readable>;
}

/** Reads the list of parts. Throws `CONFIG` for an encrypted or an old workbook, and `DATA` for what is none. */
export async function openArchive(file: OpenedFile): Promise<Archive> {
  const { sizeBytes } = file;
  if (sizeBytes === null)
    throw new ConnectorError(
      'CONFIG',
      `The file "${file.name}" is compressed as a whole; a workbook is read from its end, so decompress it`,
    );
  try {
    await refuseCompound(file);
    const zip = await yauzl.fromRandomAccessReaderPromise(new FileReader(file), sizeBytes, {
      autoClose: false,
    });
    return archiveOf(file, zip, await entriesOf(file, zip));
  } catch (error) {
    throw archiveFault(file, error);
  }
}

async function entriesOf(file: OpenedFile, zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > archivePartsMax) throw noWorkbook(file, `it has more than ${archivePartsMax} parts`);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
  if (entries.has('xl/workbook.bin'))
    throw new ConnectorError(
      'CONFIG',
      `The file "${file.name}" is a binary workbook (.xlsb): save it as .xlsx`,
    );
  return entries;
}

function archiveOf(file: OpenedFile, zip: ZipFile, entries: ReadonlyMap<string, Entry>): Archive {
  return {
    file,
    has: (path) => entries.has(path.toLowerCase()),
    open: async (path, bytesMax = Number.POSITIVE_INFINITY) => {
      const entry = entries.get(path.toLowerCase());
      if (entry === undefined) throw noWorkbook(file, `it has no part "${path}"`);
      const { uncompressedSize: expanded, compressedSize: packed } = entry;
      if (expanded > expandedBytesFree && expanded > packed * expansionMax)
        throw noWorkbook(file, `the part "${path}" expands to more than ${expansionMax} times its size`);
      if (expanded > bytesMax)
        throw noWorkbook(file, `the part "${path}" has more than ${Math.round(bytesMax / 2 ** 20)} MB`);
      return zip.openReadStreamPromise(entry);
    },
  };
}

/** What reading an archive throws, as a `ConnectorError`; aborts pass through. */
export function archiveFault(file: OpenedFile, error: unknown): unknown {
  const known = fileFault(error, file.name, 'read');
  if (known instanceof ConnectorError && !/^Z_/.test(String((error as { code?: unknown }).code)))
    return known;
  if (known instanceof Error && known.name === 'AbortError') return known;
  const why = error instanceof Error ? error.message.replace(/\.$/, '') : 'it cannot be decompressed';
  return noWorkbook(file, why, error);
}
