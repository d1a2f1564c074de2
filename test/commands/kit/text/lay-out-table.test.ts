import t from 'tap';
import { splitAtWidth, textWidth } from '../../../../src/base/text/terminal-width.ts';
import { fitTable, layOutTable } from '../../../../src/commands/kit/text/lay-out-table.ts';

const HEAD = ['id', 'job', 'created', 'rows'];
const ROWS = [
  HEAD,
  ['1', 'Nightly import of all the orders of Nord', '2026-11-27 19:56:32', '3,000,000'],
  ['2', '東京の注文', '2026-11-27 19:58:45', '7'],
];

t.test('columns are as wide on a terminal as their widest cell', async (t) => {
  t.equal(textWidth('東京'), 4);
  t.equal(textWidth('e\u0301🚚x'), 4, 'a combining accent has no width, an emoji two');
  t.same(splitAtWidth('東京の注文', 5), ['東京', 'の注文']);
  t.same(splitAtWidth('🇩🇪🇩🇪', 3), ['🇩🇪', '🇩🇪'], 'no character is divided');
  const [, first = '', second = ''] = layOutTable(ROWS, 3);
  t.equal(textWidth(first), textWidth(second));
  t.equal(first.indexOf('2026'), second.indexOf('2026') + 5);
});

t.test('a table fits its terminal: as it is, with wrapped texts, or with a line for each cell', async (t) => {
  t.same(fitTable(ROWS, 3, 200), { lines: layOutTable(ROWS, 3), head: 1 });
  t.same(fitTable(ROWS, 3, Number.POSITIVE_INFINITY).lines, layOutTable(ROWS, 3));
  for (let columns = 30; columns <= 90; columns += 1) {
    const { lines, head } = fitTable(ROWS, 3, columns);
    t.ok(
      lines.every((line) => textWidth(line) <= Math.max(columns, 52)),
      `${columns} columns`,
    );
    t.equal(head > 0, columns >= 37, `${columns} columns: table`);
    const text = lines.join(' ').replace(/\s+/g, ' ');
    for (const word of ['Nightly', 'Nord', '3,000,000', '2026-11-27', '東京の注文'])
      t.match(text, word, `${columns} columns: ${word} is whole`);
  }
  const { lines } = fitTable([HEAD, ['1', 'x'.repeat(70), '', '5']], 3, 45);
  t.equal(lines.join('').match(/x/g)?.length, 70, 'a word that is too long is divided');
});
