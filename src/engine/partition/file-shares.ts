import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FoundFile } from '../../drivers/files/storage/found-file.ts';
import type { Part } from './part.ts';

/** A list of files takes no more memory than this when it is read back, in bytes. */
const UNPACKED_BYTES_MAX = 256 * 1_048_576;
const NAME_CHARS_MAX = 100;

/** The files as one short text, to be written down with the plan: names of one folder are much alike. */
export function packFiles(files: readonly FoundFile[]): string {
  const listed = files.map(({ name, sizeBytes, modified }) => [name, sizeBytes, modified]);
  return deflateRawSync(JSON.stringify(listed)).toString('base64');
}

export function unpackFiles(packed: string): readonly FoundFile[] {
  const text = inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: UNPACKED_BYTES_MAX });
  const listed = JSON.parse(text.toString('utf8')) as readonly [string, number, string][];
  return listed.map(([name, sizeBytes, modified]) => ({ name, sizeBytes, modified }));
}

/**
 * The files in at most `count` parts of about the same bytes: the largest first, each to the part that has least so far. Within a part they
 * are in the order in which they came. One part without files where there are none. The same for the same files, whoever asks.
 */
export function fileParts(files: readonly FoundFile[], count: number): readonly Part[] {
  const shares = Array.from({ length: Math.max(1, Math.min(count, files.length)) }, () => ({
    bytes: 0,
    places: [] as number[],
  }));
  const largestFirst = files
    .map(({ sizeBytes }, place) => ({ sizeBytes, place }))
    .sort((a, b) => b.sizeBytes - a.sizeBytes || a.place - b.place);
  for (const { sizeBytes, place } of largestFirst) {
    const least = shares.reduce((best, one) => {
      const isLess =
        one.bytes < best.bytes || (one.bytes === best.bytes && one.places.length < best.places.length);
      return isLess ? one : best;
    });
    least.bytes += sizeBytes;
    least.places.push(place);
  }
  return shares.map(({ places, bytes }, index) => {
    const own = places.sort((a, b) => a - b).map((place) => files[place] as FoundFile);
    return { number: index + 1, label: labelOf(own, bytes), condition: null, files: own };
  });
}

function labelOf(files: readonly FoundFile[], bytes: number): string {
  const [first] = files;
  if (first === undefined) return 'no files';
  const name = first.name.length > NAME_CHARS_MAX ? `…${first.name.slice(-NAME_CHARS_MAX)}` : first.name;
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
  return files.length === 1 ? `${name}, ${size}` : `${files.length} files from ${name}, ${size}`;
}
