import t from 'tap';
import { z } from 'zod';
import { listedRecords } from '../../../src/modules/definitions/listed-records.ts';
import { shownTask } from '../../../src/modules/tasks/task.ts';
import { selectTasks, type TaskFilters } from '../../../src/modules/tasks/task-store.ts';
import { startFullApp } from '../../support/full-app.ts';
import { drawnKinds } from '../../support/stores.ts';

const text = (name: string, message: string) =>
  `version: 1\nname: ${name}\nsteps: [{ id: say, kind: log, message: ${JSON.stringify(message)} }] # "ü" \\ \u2028\n`;

interface Listed {
  readonly id: number;
  readonly name: string;
  readonly yaml_content: string;
  readonly status: string;
}

for (const dialect of drawnKinds(t)) {
  t.test(`a list answers what its records are now, read whole or by their marks (${dialect})`, async (t) => {
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
    const paged = async () => {
      const one = await visitor.get<{ next_cursor: string }>('/api/tasks?sort=name&limit=1');
      return (await visitor.get(`/api/tasks?sort=name&limit=1&cursor=${one.body.next_cursor}`)).body;
    };
    t.same(await paged(), { result: [first[0]], next_cursor: null });
    t.same(await paged(), { result: [first[0]], next_cursor: null }, 'the second time');
    await visitor.put(`/api/tasks/${a.id}`, {
      yaml_content: text('a', 'first'),
      name: 'z',
      description: 'd',
    });
    t.match((await list())[1], { name: 'z', description: 'd', version: 2 });
    await visitor.put(`/api/tasks/${a.id}`, { yaml_content: text('a', 'second') });
    const changed = [text('b', 'first'), 'active'];
    t.same(await shown(), [changed, [text('a', 'second'), 'active']]);
    await visitor.post(`/api/tasks/${a.id}/archive`);
    t.same(await shown(), [changed, [text('a', 'second'), 'archived']]);
    await visitor.delete(`/api/tasks/${b.id}`);
    t.same(await shown(), [[text('a', 'second'), 'archived']]);
    await made('b');
    t.same((await shown())[0], changed);
  });
}

t.test('a record that was answered is not read again', async (t) => {
  const full = await startFullApp(t, 'sqlite');
  const { visitor } = await full.superadmin();
  for (const name of ['a', 'b']) await visitor.post('/api/tasks', { yaml_content: text(name, 'first') });
  let whole = 0;
  let reads = 0;
  const listed = listedRecords({
    select: async (filters: TaskFilters, paging) => {
      const rows = await selectTasks(full.plane.store.read, filters, paging);
      reads += 1;
      whole += rows.filter((row) => 'name' in row).length;
      return rows;
    },
    answer: z.object({ name: z.string() }),
    show: shownTask,
  });
  const page = { column: 'id', descending: true, after: null, limit: 10, bound: '' } as const;
  const read = async (fields?: readonly string[], filters: TaskFilters = {}) => {
    const rows = await listed.read(filters, { ...page, fields });
    return rows.map((row) => (JSON.parse(JSON.stringify(listed.show(row))) as Listed).name);
  };
  t.same(await read(), ['b', 'a']);
  t.same([await read(), whole], [['b', 'a'], 2]);
  t.same([await read(['name']), whole], [['b', 'a'], 4], 'chosen fields are written from the row');
  reads = 0;
  t.same([await read(undefined, { q: 'b' }), reads], [['b'], 1], 'a search is made once');
  whole = 0;
  await visitor.post('/api/tasks', { yaml_content: text('c', 'first') });
  t.same([await read(), whole], [['c', 'b', 'a'], 3], 'a page with a new one is read at once, as one state');
});
