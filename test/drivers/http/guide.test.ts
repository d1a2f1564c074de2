import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { createKeeper, rowsOf, runYaml } from '../../engine/support/task-run.ts';
import { answer, startApi } from './http-api.ts';

const blocks = codeBlocks('docs/connectors/http.md');
// biome-ignore lint/suspicious/noTemplateCurlyInString: as the guide writes it
const VARIABLE = '${env:CRM_TOKEN}';
const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';

interface Contact {
  readonly id: number;
  readonly name: string;
  updated_at: string;
}

t.test('the example of the guide loads all contacts, and then only those that changed', async (t) => {
  const contacts: Contact[] = Array.from({ length: 450 }, (_, index) => ({
    id: index + 1,
    name: `Contact ${index + 1}`,
    updated_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
  }));
  const api = await startApi(t, (query, { headers }, _index, response) => {
    if (headers.authorization !== 'Bearer t0ken') return answer(response, 401);
    const since = query.get('since') ?? '';
    const found = contacts.filter(({ updated_at }) => updated_at >= since);
    const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))];
    return { data: found.slice((page - 1) * size, page * size) };
  });
  const folder = t.testdir({});
  const { crm, archive } = parse(textOf('yaml connectors').replace(VARIABLE, 't0ken'));
  crm.config.base_url = `${api.base}/v1`;
  const run = { folder, yaml: textOf('yaml task'), connectors: { crm, archive }, keeper: createKeeper() };
  const first = await runYaml(run);
  t.match(first, { status: 'success', rows_in: 450 });
  t.equal(api.receiver.received.length, 4);
  (contacts[7] as Contact).updated_at = '2026-02-01T00:00:00.000Z';
  t.match(await runYaml(run), { status: 'success' });
  t.match(api.queries()[4], /since=2026-01-01T07%3A29%3A00\.000Z&per_page=200&page=1/);
  const file = join(folder, 'contacts.db');
  t.strictSame(rowsOf(file, 'select count(*) n, max(updated_at) last from contacts'), [
    { n: 450, last: '2026-02-01T00:00:00.000Z' },
  ]);
});
