import { strToU8, zipSync } from 'fflate';

export interface WorkbookParts {
  /** The inside of `sheetData`. */
  readonly rows: string;
  /** Names of sheets; all have the same rows. */
  readonly sheets?: readonly string[];
  readonly sharedStrings?: string;
  readonly cellFormats?: string;
  readonly workbookProperties?: string;
  /** Further parts, or others in place of these. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** The bytes of a workbook, part by part, for what no program writes. */
export function workbookFile({
  rows,
  sheets = ['Sheet1'],
  sharedStrings = '',
  cellFormats = '<xf numFmtId="0"/>',
  workbookProperties = '',
  parts = {},
}: WorkbookParts): Buffer {
  const files: Record<string, string> = {
    ...describingParts(sheets, workbookProperties),
    'xl/sharedStrings.xml': `<sst>${sharedStrings}</sst>`,
    'xl/styles.xml': `<styleSheet>${cellFormats.includes('<cellXfs>') ? cellFormats : `<cellXfs>${cellFormats}</cellXfs>`}</styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  };
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  );
}

/** The parts that say what a workbook has. */
export function describingParts(
  sheets: readonly string[] = ['Sheet1'],
  workbookProperties = '',
): Readonly<Record<string, string>> {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://schemas.example/${type}" Target="${target}"/>`;
  const listed = sheets.map(
    (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"/>`,
  );
  return {
    '_rels/.rels': `<Relationships>${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="r">${workbookProperties}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, i) => relation(`s${i}`, 'worksheet', 'worksheets/sheet1.xml')).join('')}${relation('t', 'sharedStrings', '/xl/sharedStrings.xml')}${relation('f', 'styles', 'styles.xml')}</Relationships>`,
  };
}

/** A row of texts and numbers as Excel writes them in place. */
export function sheetRow(number: number, values: readonly (string | number)[]): string {
  const cells = values.map((value, index) => {
    const place = `${String.fromCharCode(65 + index)}${number}`;
    if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
    return `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
  });
  return `<row r="${number}">${cells.join('')}</row>`;
}
