import t from 'tap';
import { listedTexts } from '../../../src/modules/definitions/listed-texts.ts';
import { selectTasks, type TaskFilters } from '../../../src/modules/tasks/task-store.ts';
import { startFullApp } from '../../support/full-app.ts';
import { STORE_KINDS } from '../../support/stores.ts';

const text = (name: string, message: string) =>
  `version: 1\nname: ${name}\nsteps: [{ id: say, kind: log, message: ${JSON.stringify(message)} }] # "ü" \\ \u2028\n`;

interface Listed {
  readonly id: number;
  readonly name: string;
  readonly yaml_content: string;
  readonly status: string;
}

for (const dialect of STORE_KINDS) {
  t.test(
    `a list answers what its records are now, read with their texts or without (${dialect})`,
    async (t) => {
      const full = await startFullApp(t, dialect);
      const { visitor } = await full.superadmin();
      const list = async () => (await visitor.get<{ result: Listed[] }>('/api/tasks')).body.result;
      const shown = async () => (await list()).map(({ yaml_content, status }) => [yaml_content, status]);
      const made = (name: string) =>
        visitor.post<Listed>('/api/tasks', { yaml_content: text(name, 'first') }).then(({ body }) => body);
      const [a, b] = [await made('a'), await made('b')];
      const first = await list();
      t.same(await list(), first, 'the second time');
      t.same(first, [
        (await visitor.get<Listed>(`/api/tasks/${b.id}`)).body,
        (await visitor.get<Listed>(`/api/tasks/${a.id}`)).body,
      ]);
      await visitor.put(`/api/tasks/${a.id}`, { yaml_content: text('a', 'second') });
      const changed = [text('b', 'first'), 'active'];
      t.same(await shown(), [changed, [text('a', 'second'), 'active']]);
      await visitor.post(`/api/tasks/${a.id}/archive`);
      t.same(await shown(), [changed, [text('a', 'second'), 'archived']]);
      await visitor.delete(`/api/tasks/${b.id}`);
      t.same(await shown(), [[text('a', 'second'), 'archived']]);
      await made('b');
      t.same((await shown())[0], changed);
    },
  );
}

t.test('a text that was answered is not read again', async (t) => {
  const full = await startFullApp(t, 'sqlite');
  const { visitor } = await full.superadmin();
  for (const name of ['a', 'b']) await visitor.post('/api/tasks', { yaml_content: text(name, 'first') });
  let withTexts = 0;
  let reads = 0;
  const listed = listedTexts(async (filters: TaskFilters, paging) => {
    const rows = await selectTasks(full.plane.store.read, filters, paging);
    reads += 1;
    withTexts += rows.filter((row) => 'yaml_content' in row).length;
    return rows;
  });
  const page = { column: 'id', descending: true, after: null, limit: 10, bound: '' } as const;
  const read = async (fields?: readonly string[], filters: TaskFilters = {}) =>
    (await listed(filters, { ...page, fields })).map(({ yaml_content }) => JSON.stringify(yaml_content));
  const both = [text('b', 'first'), text('a', 'first')].map((one) => JSON.stringify(one));
  t.same(await read(), both);
  t.same([await read(), withTexts], [both, 2]);
  t.same([await read(['name']), withTexts], [[undefined, undefined], 2]);
  reads = 0;
  t.same([await read(undefined, { q: 'b' }), reads], [both.slice(0, 1), 1], 'a search is made once');
  withTexts = 2;
  await visitor.post('/api/tasks', { yaml_content: text('c', 'first') });
  t.same([(await read()).length, withTexts], [3, 5], 'a page with a new one is read at once, as one state');
});
