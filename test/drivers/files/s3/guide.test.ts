import t from 'tap';
import { parse } from 'yaml';
import { codeBlocks } from '../../../docs/markdown-files.ts';
import { createKeeper, runYaml } from '../../../engine/support/task-run.ts';
import { createBucket, withoutS3 } from '../../../support/object-storage.ts';

const blocks = codeBlocks('docs/connectors/object-storage.md');
const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';
const placeOf = (path: string) => path.replace(/^s3:\/\/[^/]+\//, '');

t.test(
  'the example of the guide reads new files of one bucket into a file of another',
  { skip: withoutS3() },
  async (t) => {
    const [from, to] = [await createBucket(), await createBucket()];
    const { exports, reports } = parse(textOf('yaml connectors'));
    exports.config = from.config(placeOf(exports.config.path));
    reports.config = to.config(placeOf(reports.config.path));
    await from.put('orders/2026/01/a.csv', 'id,total\n1,2.50\n');
    const connectors = { exports, reports };
    const run = { folder: t.testdir({}), yaml: textOf('yaml task'), connectors, keeper: createKeeper() };
    t.match(await runYaml(run), { status: 'success', rows_in: 1 });
    const [row] = ((await to.text('daily/new-orders.ndjson')) ?? '')
      .split('\n')
      .map((line) => JSON.parse(line || 'null'));
    t.match(row, { id: 1, total: 2.5, file: '2026/01/a.csv', changed_at: /^20/ });
    t.match(await runYaml(run), { status: 'success', rows_in: 0 }, 'nothing is new');
    t.strictSame(await to.keys(), ['daily/new-orders.ndjson']);
  },
);
