import { ConnectorError } from '../../driver.ts';
import { isSeventeenDigits, type LongNumber, longNumber } from '../../json/long-number.ts';
import { ROW_LIMITS, sizeText } from '../../row-limits.ts';
import { type CellRange, columnIndex, sheetColumnsMax } from './cell-range.ts';
import { type CellTime, cellTime, isoCellTime } from './cell-time.ts';
import type { TextTable } from './text-table.ts';
import { type Sheet, sharedTexts, type Workbook } from './workbook.ts';
import { type Attributes, parsePart, unescapedText } from './xml-part.ts';

export type CellValue = string | number | boolean | LongNumber | CellTime | null;

export interface SheetRow {
  /** As in the sheet, from 1 on. */
  readonly number: number;
  /** From the first column of the range on; what lies behind the last cell is missing. */
  readonly cells: readonly CellValue[];
  readonly chars: number;
}

/** Turns the elements of a sheet into rows, those of the range that have a value. */
class RowCollector {
  found: SheetRow[] = [];
  isPastRange = false;
  readonly #workbook: Workbook;
  readonly #texts: TextTable;
  readonly #range: CellRange;
  #row = 0;
  #column = -1;
  #cells: CellValue[] = [];
  #chars = 0;
  #type = 'n';
  #style = 0;
  #text = '';
  #isValue = false;
  #isPhonetic = false;

  constructor(workbook: Workbook, texts: TextTable, range: CellRange) {
    this.#workbook = workbook;
    this.#texts = texts;
    this.#range = range;
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'row':
        this.#row = this.#rowNumber(attributes['r']);
        this.#column = -1;
        this.isPastRange ||= this.#row > this.#range.rows[1];
        return;
      case 'c':
        this.#openCell(attributes);
        return;
      case 'rPh':
        this.#isPhonetic = true;
        return;
      case 'v':
      case 't':
        this.#isValue = !this.#isPhonetic;
    }
  }

  text(text: string): void {
    if (this.#isValue) this.#text += text;
  }

  close(name: string): void {
    switch (name) {
      case 'rPh':
        this.#isPhonetic = false;
        return;
      case 'v':
      case 't':
        this.#isValue = false;
        return;
      case 'c':
        this.#closeCell();
        return;
      case 'row':
        this.#closeRow();
    }
  }

  #rowNumber(given: string | undefined): number {
    const number = given === undefined ? this.#row + 1 : Number(given);
    if (!Number.isInteger(number) || number < 1)
      throw this.#bad(`is followed by one with the number "${given?.slice(0, 40)}"`);
    return number;
  }

  #openCell({ r, t = 'n', s }: Attributes): void {
    this.#column = r === undefined ? this.#column + 1 : columnIndex(/^[A-Za-z]+/.exec(r)?.[0] ?? '');
    if (this.#column < 0) throw this.#bad(`has a cell at "${r?.slice(0, 40)}", which names no column`);
    this.#type = t;
    this.#style = Number(s ?? 0);
    this.#text = '';
  }

  #closeCell(): void {
    const place = this.#column - this.#range.columns[0];
    if (this.#text === '' || place < 0 || this.#column > this.#range.columns[1]) return;
    if (this.#column >= sheetColumnsMax) throw this.#bad('has more columns than a sheet can have');
    const value = this.#value();
    if (value === null) return;
    while (this.#cells.length < place) this.#cells.push(null);
    this.#cells[place] = value;
    this.#chars += typeof value === 'string' ? value.length : 8;
    if (this.#chars > ROW_LIMITS.rowCharsMax)
      throw this.#bad(`has more than ${sizeText(ROW_LIMITS.rowCharsMax)}`);
  }

  #closeRow(): void {
    const [cells, chars] = [this.#cells, this.#chars];
    this.#cells = [];
    this.#chars = 0;
    const [first, last] = this.#range.rows;
    if (cells.length > 0 && this.#row >= first && this.#row <= last)
      this.found.push({ number: this.#row, cells, chars });
  }

  #value(): CellValue {
    const text = this.#type === 'n' || this.#type === 's' ? this.#text.trim() : this.#text;
    if (text === '') return null;
    switch (this.#type) {
      case 's': {
        const shared = this.#texts.at(Number(text));
        if (shared === undefined) throw this.#bad('has a text that the workbook lacks');
        return shared === '' ? null : shared;
      }
      case 'b':
        return text === '1' || text === 'true';
      case 'e':
        return null;
      case 'n':
        return this.#number(text);
      case 'd':
        return isoCellTime(text) ?? unescapedText(text);
      default:
        return unescapedText(text);
    }
  }

  #number(text: string): CellValue {
    const number = Number(text);
    if (!Number.isFinite(number)) throw this.#bad(`has "${text.slice(0, 40)}" in place of a number`);
    const format = this.#workbook.timeFormats[this.#style] ?? null;
    // Excel writes doubles with seventeen digits; other programs write numbers with more than a double has.
    if (format === null)
      return isSeventeenDigits(text, number) ? number : (longNumber(text, number) ?? number);
    return cellTime(number, format, this.#workbook.is1904);
  }

  #bad(what: string): ConnectorError {
    const { name } = this.#workbook.archive.file;
    return new ConnectorError('DATA', `Row ${this.#row} of a sheet of "${name}" ${what}`);
  }
}

/** The rows of a sheet that have a value, in groups of one chunk. Throws `DATA`. */
export async function* sheetRows(
  workbook: Workbook,
  sheet: Sheet,
  range: CellRange,
  signal: AbortSignal,
): AsyncGenerator<readonly SheetRow[], void, undefined> {
  const texts = await sharedTexts(workbook);
  signal.throwIfAborted();
  const collector = new RowCollector(workbook, texts, range);
  const handlers = {
    open: (name: string, attributes: Attributes) => collector.open(name, attributes),
    close: (name: string) => collector.close(name),
    text: (text: string) => collector.text(text),
  };
  for await (const _ of parsePart(workbook.archive, sheet.path, handlers)) {
    signal.throwIfAborted();
    const rows = collector.found;
    collector.found = [];
    if (rows.length > 0) yield rows;
    if (collector.isPastRange) return;
  }
}
