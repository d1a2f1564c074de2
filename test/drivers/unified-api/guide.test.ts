import t from 'tap';
import { parse } from 'yaml';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { createKeeper, rowsOf, runYaml } from '../../engine/support/task-run.ts';
import { startTruto, TRUTO_TOKEN } from './truto-peer.ts';

const blocks = codeBlocks('docs/connectors/unified-api.md');
const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';
// biome-ignore lint/suspicious/noTemplateCurlyInString: as the guide writes it
const VARIABLE = '${env:TRUTO_TOKEN}';

t.test('the example of the guide loads all contacts, and then only those that changed', async (t) => {
  const peer = await startTruto(t);
  const { customers, archive } = parse(textOf('yaml connectors').replace(VARIABLE, TRUTO_TOKEN));
  customers.config.base_url = peer.base;
  const folder = t.testdir({});
  const run = {
    folder,
    yaml: textOf('yaml task'),
    connectors: { customers, archive },
    keeper: createKeeper(),
  };
  t.match(await runYaml(run), { status: 'success', rows_in: 5 });
  peer.contacts.push({ id: 'c6', first_name: 'New', updated_at: '2026-02-01T00:00:00.000Z' });
  t.match(await runYaml(run), { status: 'success', rows_in: 2 });
  t.strictSame(rowsOf(`${folder}/contacts.db`, 'select count(*) n from contacts'), [{ n: 6 }]);
});
