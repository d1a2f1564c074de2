import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { ROW_LIMITS } from '../../row-limits.ts';
import { type Archive, archiveFault, noWorkbook } from './archive.ts';

/** Attributes without their prefixes. */
export type Attributes = Readonly<Record<string, string>>;

/** What to do at each element. `name` is without its prefix: producers choose them freely. */
export interface ElementHandlers {
  open(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/**
 * Parses a part of a workbook, and gives a turn after each chunk, so that what was found can be taken. Entities other than XML's own are
 * errors: none is ever expanded. Throws `DATA` for XML that is not well-formed, and for an element beyond all bounds.
 */
export async function* parsePart(
  archive: Archive,
  path: string,
  handlers: ElementHandlers,
  bytesMax?: number,
): AsyncGenerator<void, void, undefined> {
  const parser = new SaxesParser({ position: false });
  const decoder = new StringDecoder('utf8');
  let unclosed = 0;
  parser.on('error', (error) => {
    throw noWorkbook(archive.file, `the part "${path}" is not well-formed (${error.message})`, error);
  });
  parser.on('doctype', () => {
    throw noWorkbook(archive.file, `the part "${path}" has a document type`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    unclosed = 0;
    handlers.open(localName(name), attributes as Attributes);
  });
  parser.on('closetag', ({ name }) => {
    unclosed = 0;
    handlers.close?.(localName(name));
  });
  if (handlers.text !== undefined) parser.on('text', handlers.text);
  const stream = await archive.open(path, bytesMax);
  try {
    for await (const chunk of stream) {
      const text = decoder.write(chunk as Buffer);
      parser.write(text);
      unclosed += text.length;
      if (unclosed > 2 * ROW_LIMITS.rowCharsMax)
        throw noWorkbook(archive.file, `the part "${path}" has an element of more than 32 MB`);
      yield;
    }
    parser.write(decoder.end()).close();
    yield;
  } catch (error) {
    throw archiveFault(archive.file, error);
  } finally {
    stream.destroy();
  }
}

/** Parses a part to its end. */
export async function readPart(
  archive: Archive,
  path: string,
  handlers: ElementHandlers,
  bytesMax: number,
): Promise<void> {
  for await (const _ of parsePart(archive, path, handlers, bytesMax));
}

/** The text of a cell without the escapes that Excel writes for control characters. */
export function unescapedText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
