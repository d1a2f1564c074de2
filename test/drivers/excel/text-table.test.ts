import t from 'tap';
import { TextTable } from '../../../src/drivers/excel/workbook/text-table.ts';

t.test('every text comes back, across the blocks of its memory', async (t) => {
  const table = new TextTable();
  const texts = Array.from({ length: 70_000 }, (_, at) =>
    at % 7 === 0 ? '' : `${at} ${'ü🚚\u0000'.repeat(at % 40)}`,
  );
  texts.push('x'.repeat(2_500_000), 'z', '', 'é'.repeat(1_048_576), 'last');
  for (const text of texts) table.push(text);
  t.equal(table.length, texts.length);
  t.equal(table.bytes, Buffer.byteLength(texts.join('')));
  t.ok(texts.every((text, at) => table.at(at) === text));
  for (const at of [-1, texts.length, 1.5, Number.NaN]) t.equal(table.at(at), undefined, String(at));
  t.equal(new TextTable().at(0), undefined);
});
