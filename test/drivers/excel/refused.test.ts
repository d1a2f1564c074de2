import t from 'tap';
import { ofFullList } from '../../support/fault-list.ts';
import { readBytes } from './connect-excel.ts';
import { sheetRow, workbookFile } from './workbook-file.ts';

t.test('what is no workbook is told by what it is', async (t) => {
  /** A compound file with one stream of this name in its directory. */
  const compound = (stream: string) => {
    const bytes = Buffer.alloc(8_192);
    bytes.write('d0cf11e0a1b11ae1', 0, 'hex');
    bytes.writeUInt16LE(9, 30);
    bytes.writeUInt32LE(1, 48);
    bytes.write(`${stream}\0`, 1_024, 'utf16le');
    return bytes;
  };
  const rows = sheetRow(1, ['a']);
  const cases: [Buffer, string, RegExp][] = [
    [compound('EncryptedPackage'), 'CONFIG', /"a.xlsx" is encrypted: save it without a password/],
    [compound('Workbook'), 'CONFIG', /Excel 97 to 2003/],
    [compound('WordDocument'), 'DATA', /document of another program/],
    [Buffer.from('id;name\n1;a\n'), 'DATA', /is not a readable Excel workbook/],
    [Buffer.alloc(0), 'DATA', /is not a readable Excel workbook/],
    [workbookFile({ rows }).subarray(0, 600), 'DATA', /is not a readable Excel workbook/],
    [workbookFile({ rows, parts: { 'xl/workbook.bin': '' } }), 'CONFIG', /\.xlsb/],
    [
      workbookFile({ rows, parts: { '_rels/.rels': '<Relationships/>', 'xl/workbook.xml': '<workbook/>' } }),
      'DATA',
      /no sheet/,
    ],
    [workbookFile({ rows: '<row r="1"><c r="A1"><v>1</v></row>' }), 'DATA', /not well-formed/],
    [
      workbookFile({ rows: '<row r="1"><c r="A1" t="s"><v>9</v></c></row>' }),
      'DATA',
      /a text that the workbook lacks/,
    ],
    [
      workbookFile({ rows: '<row r="1"><c r="A1"><v>12x</v></c></row>' }),
      'DATA',
      /"12x" in place of a number/,
    ],
    [
      workbookFile({ rows: '<row r="1"><c r="A1"><v>1e999</v></c></row>' }),
      'DATA',
      /"1e999" in place of a number/,
    ],
    [workbookFile({ rows: `${rows}<row r="x"><c r="A2"><v>1</v></c></row>` }), 'DATA', /with the number "x"/],
    [workbookFile({ rows: `${rows}<row r="2"><c r="2"><v>1</v></c></row>` }), 'DATA', /names no column/],
    [
      workbookFile({ rows: '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>' }),
      'DATA',
      /Row 1 .* a value in column XFD, after more than 1,000 empty cells: set "range"/,
    ],
    [workbookFile({ rows: rows + sheetRow(2, [1, 2]) }), 'DATA', /Row 2 .* column B, .* set "range"/],
    [
      workbookFile({
        rows,
        parts: {
          'xl/worksheets/sheet1.xml':
            '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet><sheetData><row r="1"><c r="A1" t="str"><v>&b;</v></c></row></sheetData></worksheet>',
        },
      }),
      'DATA',
      /has a document type/,
    ],
  ];
  for (const [bytes, fault, message] of cases) await t.rejects(readBytes(t, bytes), { fault, message });
});

t.test('a part that expands absurdly is refused before it is expanded', ofFullList, async (t) => {
  const bytes = workbookFile({ rows: sheetRow(1, ['a']) + ' '.repeat(300 * 1024 * 1024) });
  await t.rejects(readBytes(t, bytes), { fault: 'DATA', message: /expands to more than 200 times its size/ });
});

t.test('an archive that lies about the size of a part ends the read', async (t) => {
  const bytes = workbookFile({ rows: sheetRow(1, ['a']) + ' '.repeat(1_000_000) });
  const name = Buffer.from('xl/worksheets/sheet1.xml');
  // The sizes of the central directory stand 22 bytes before the name.
  const place = bytes.lastIndexOf(name);
  bytes.writeUInt32LE(5_000, place - 22);
  await t.rejects(readBytes(t, bytes), { fault: 'DATA', message: /is not a readable Excel workbook/ });
});
