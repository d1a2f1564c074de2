import { join } from 'node:path';
import t from 'tap';
import writeExcelFile from 'write-excel-file/node';
import { parse } from 'yaml';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { createKeeper, runYaml } from '../../engine/support/task-run.ts';

const blocks = codeBlocks('docs/connectors/excel.md');
const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';

t.test('the example of the guide loads a sheet below its title', async (t) => {
  const folder = t.testdir({ prices: {} });
  const day = { value: new Date(Date.UTC(2026, 0, 31)), format: 'dd/mm/yyyy' };
  const data = [
    ['Price list'],
    ['internal'],
    ['sku', 'price', 'valid_from'],
    ['A-1', 9.5, day],
    ['B-2', 12, null],
  ];
  await writeExcelFile([
    { data: [['read me']], sheet: 'Notes' },
    { data, sheet: 'Prices' },
  ] as Parameters<typeof writeExcelFile>[0]).toFile(join(folder, 'prices/january.xlsx'));
  const connectors = parse(textOf('yaml connectors'));
  const run = { folder, yaml: textOf('yaml task'), connectors, keeper: createKeeper() };
  t.match(await runYaml(run), { status: 'success', rows_in: 2, rows_out: 2 });
});
