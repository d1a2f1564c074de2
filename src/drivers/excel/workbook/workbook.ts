import { posix } from 'node:path';
import { AbsentResourceError, ConnectorError } from '../../driver.ts';
import type { OpenedFile } from '../../files/storage/file-storage.ts';
import { type Archive, noWorkbook, openArchive } from './archive.ts';
import { type TimeFormat, timeFormatOf } from './cell-time.ts';
import { TextTable } from './text-table.ts';
import { readPart, unescapedText } from './xml-part.ts';

/** Largest of the parts that describe a workbook, in bytes. */
export const describingBytesMax = 16 * 1024 * 1024;
/** Largest size of the texts that sheets share, as UTF-8; they are in memory while a sheet is read. */
export const sharedBytesMax = 96 * 1024 * 1024;
/** Most of these texts. */
export const sharedTextsMax = 2_000_000;
const WORKBOOK = 'xl/workbook.xml';

export interface Sheet {
  readonly name: string;
  readonly isVisible: boolean;
  /** Of its part. */
  readonly path: string;
}

export interface Workbook {
  readonly archive: Archive;
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
  /** What the numbers of a cell's style show, by the position of the style. */
  readonly timeFormats: readonly TimeFormat[];
  /** The part of the texts that sheets share; null for none. */
  readonly sharedPath: string | null;
}

interface Relation {
  /** The last word of its type: `worksheet`. */
  readonly type: string;
  readonly path: string;
}

async function relationsOf(archive: Archive, part: string): Promise<ReadonlyMap<string, Relation>> {
  const folder = posix.dirname(part);
  const path = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const relations = new Map<string, Relation>();
  if (!archive.has(path)) return relations;
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    const { Id = '', Type = '', Target = '' } = attributes;
    if (name !== 'Relationship') return;
    const target = posix.resolve('/', folder, Target).slice(1);
    relations.set(Id, { type: posix.basename(Type), path: target });
  };
  await readPart(archive, path, { open }, describingBytesMax);
  return relations;
}

async function timeFormatsOf(archive: Archive, path: string | null): Promise<TimeFormat[]> {
  const formats: TimeFormat[] = [];
  if (path === null || !archive.has(path)) return formats;
  const codes = new Map<number, string>();
  let isCellFormat = false;
  await readPart(
    archive,
    path,
    {
      open: (name, { numFmtId, formatCode }) => {
        if (name === 'cellXfs') isCellFormat = true;
        if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '');
        const id = Number(numFmtId ?? 0);
        if (name === 'xf' && isCellFormat) formats.push(timeFormatOf(id, codes.get(id) ?? null));
      },
      close: (name) => {
        if (name === 'cellXfs') isCellFormat = false;
      },
    },
    describingBytesMax,
  );
  return formats;
}

/** Reads what describes a workbook, and no cell of it. Throws as `openArchive`; the caller closes the file. */
export async function openWorkbook(file: OpenedFile): Promise<Workbook> {
  const archive = await openArchive(file);
  const [main] = [...(await relationsOf(archive, '')).values()].filter(
    ({ type }) => type === 'officeDocument',
  );
  const part = main?.path ?? WORKBOOK;
  if (!archive.has(part) || !part.endsWith('.xml'))
    throw noWorkbook(file, 'it is a zip file of something else');
  const relations = await relationsOf(archive, part);
  const sheets: Sheet[] = [];
  let is1904 = false;
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
    if (name !== 'sheet') return;
    const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
    const relation = relations.get(id);
    if (relation?.type !== 'worksheet') return;
    const isVisible = (attributes['state'] ?? 'visible') === 'visible';
    sheets.push({ name: unescapedText(attributes['name'] ?? ''), isVisible, path: relation.path });
  };
  await readPart(archive, part, { open }, describingBytesMax);
  if (sheets.length === 0) throw noWorkbook(file, 'it has no sheet with cells');
  const pathOf = (wanted: string) =>
    [...relations.values()].find(({ type }) => type === wanted)?.path ?? null;
  const timeFormats = await timeFormatsOf(archive, pathOf('styles'));
  return { archive, sheets, is1904, timeFormats, sharedPath: pathOf('sharedStrings') };
}

/** The sheet of that name or position; null for the first visible one. Throws `CONFIG` where there is none. */
export function sheetOf({ archive, sheets }: Workbook, wanted: string | number | null): Sheet {
  const found =
    wanted === null
      ? (sheets.find(({ isVisible }) => isVisible) ?? sheets[0])
      : typeof wanted === 'number'
        ? sheets[wanted - 1]
        : (sheets.find(({ name }) => name === wanted) ??
          sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()));
  if (found !== undefined) return found;
  const known = sheets.slice(0, 20).map(({ name }) => `"${name}"`);
  const which = typeof wanted === 'number' ? `${wanted} sheets` : `sheet "${wanted}"`;
  throw new AbsentResourceError(
    `The workbook "${archive.file.name}" has no ${which}; its sheets are ${known.join(', ')}`,
  );
}

/** The texts that the sheets share, by their positions. Throws `CONFIG` where they are too many to hold. */
export async function sharedTexts({ archive, sharedPath }: Workbook): Promise<TextTable> {
  const texts = new TextTable();
  if (sharedPath === null || !archive.has(sharedPath)) return texts;
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await readPart(
    archive,
    sharedPath,
    {
      open: (name) => {
        if (name === 'si') text = '';
        else if (name === 't') isText = !isPhonetic;
        else if (name === 'rPh') isPhonetic = true;
      },
      text: (part) => {
        if (isText) text += part;
      },
      close: (name) => {
        if (name === 't') isText = false;
        else if (name === 'rPh') isPhonetic = false;
        if (name !== 'si') return;
        texts.push(unescapedText(text));
        if (texts.bytes > sharedBytesMax || texts.length > sharedTextsMax) throw tooManyTexts(archive);
      },
    },
    // With their markup.
    sharedBytesMax * 4,
  );
  return texts;
}

function tooManyTexts({ file }: Archive): ConnectorError {
  const most = `${sharedTextsMax.toLocaleString('en')} different texts, or 96 MB of them`;
  return new ConnectorError(
    'CONFIG',
    `The workbook "${file.name}" has more than ${most}, which must be in memory: save its sheet as CSV`,
  );
}
