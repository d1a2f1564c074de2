import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import t from 'tap';
import { ofFullList } from '../../support/fault-list.ts';
import { describingParts } from './workbook-file.ts';

/** As many as a sheet can have, with its header. */
const ROWS = 1_048_575;
/** Of the whole process, which begins with 70 MB. The texts alone have 36. */
const PEAK_MB_MAX = 200;

/** A workbook of rows with a number, a text that no other row has, and one that they share. */
function writeWorkbook(path: string): void {
  const file = openSync(path, 'w');
  const zip = new Zip((error, data) => {
    if (error) throw error;
    writeSync(file, data);
  });
  const add = (name: string, pieces: Iterable<string>) => {
    const part = new ZipDeflate(name, { level: 1 });
    zip.add(part);
    for (const piece of pieces) part.push(strToU8(piece));
    part.push(new Uint8Array(), true);
  };
  for (const [name, text] of Object.entries(describingParts())) add(name, [text]);
  add('xl/sharedStrings.xml', textPieces());
  add('xl/worksheets/sheet1.xml', rowPieces());
  zip.end();
  closeSync(file);
}

function* inPieces(count: number, textOf: (at: number) => string): Generator<string> {
  for (let from = 0; from < count; from += 5_000)
    yield Array.from({ length: Math.min(5_000, count - from) }, (_, at) => textOf(from + at)).join('');
}

function* textPieces(): Generator<string> {
  yield '<sst>';
  yield* inPieces(ROWS, (at) => `<si><t>customer ${at} of the street ${at % 977}</t></si>`);
  yield '<si><t>same</t></si></sst>';
}

function* rowPieces(): Generator<string> {
  yield '<worksheet><sheetData><row><c t="str"><v>id</v></c><c t="str"><v>name</v></c><c t="str"><v>kind</v></c></row>';
  yield* inPieces(
    ROWS,
    (at) => `<row><c><v>${at}</v></c><c t="s"><v>${at}</v></c><c t="s"><v>${ROWS}</v></c></row>`,
  );
  yield '</sheetData></worksheet>';
}

t.test(
  'a full sheet of different texts is read in bounded memory',
  { ...ofFullList, timeout: 300_000 },
  async (t) => {
    const path = join(t.testdir(), 'full.xlsx');
    writeWorkbook(path);
    const main = join(import.meta.dirname, 'read-main.ts');
    // As a runner has it during a run.
    const heap = ['--min-semi-space-size=16', '--max-semi-space-size=16', '--heap-growing-percent=50'];
    const flags = ['--no-warnings', ...heap];
    const answer = JSON.parse(execFileSync(process.execPath, [...flags, main, path], { encoding: 'utf8' }));
    const at = ROWS - 1;
    t.match(answer, {
      rows: ROWS,
      last: { id: at, name: `customer ${at} of the street ${at % 977}`, kind: 'same' },
    });
    t.ok(answer.peakMb < PEAK_MB_MAX, `${answer.peakMb} MB`);
  },
);
