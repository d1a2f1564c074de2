import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { createClient } from '../../../src/client/create-client.ts';
import { selectTasks } from '../../../src/modules/tasks/task-store.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { startFullApp } from '../../support/full-app.ts';
import { makeOneOfEach, valueFor } from '../../support/one-of-each.ts';
import type { OpenapiDocument } from '../../support/openapi-check.ts';
import { STORE_KINDS } from '../../support/stores.ts';

interface Page {
  readonly result: readonly Readonly<Record<string, unknown>>[];
}

/** The routes of the document whose answers can be asked for by field, with their fields. */
function fieldRoutes(document: OpenapiDocument): { path: string; fields: string[]; form: RegExp }[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const { description, schema } = get?.parameters?.find(({ name }) => name === 'fields') ?? {};
    if (description === undefined) return [];
    const form = new RegExp(String((schema as { pattern?: unknown } | undefined)?.pattern));
    return [{ path, fields: description.replace(/^.*: /, '').split(', '), form }];
  });
}

const pick = (record: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
  Object.fromEntries(fields.filter((name) => name in record).map((name) => [name, record[name]]));

const picked = (body: Page, fields: readonly string[]) =>
  'next_cursor' in body
    ? { ...body, result: body.result.map((record) => pick(record, fields)) }
    : pick(body as unknown as Record<string, unknown>, fields);

for (const kind of STORE_KINDS) {
  t.test(
    `every list and record answers the fields that are asked for, as the whole has them (${kind})`,
    ofFullList,
    async (t) => {
      const full = await startFullApp(t, kind);
      const { visitor } = await full.superadmin();
      const one = await makeOneOfEach(full, visitor);
      const routes = fieldRoutes(full.http.swagger() as unknown as OpenapiDocument);
      t.ok(routes.length >= 30, `${routes.length} routes`);
      for (const { path, fields, form } of routes) {
        const at = path.replace(
          /\{(\w+)\}/g,
          (_, name: string) => valueFor(one, { method: 'GET', path }, name) ?? '',
        );
        const [whole, light] = [
          await visitor.get<Page>(at),
          await visitor.get<Page>(`${at}?fields=${fields[0]}`),
        ];
        t.match([whole.status, light.status], [200, 200], path);
        const halves = [fields.slice(0, 3), fields.filter((name) => name !== 'yaml_content')];
        t.notMatch(`${fields[0]},nothing`, form, path);
        for (const wanted of halves) {
          t.match(wanted.join(', '), form, path);
          const { body } = await visitor.get<Page>(`${at}?fields=${wanted.join(',')}`);
          // A delivery may have failed again meanwhile.
          const before = picked(whole.body, wanted);
          const same = isDeepStrictEqual(body, before);
          t.same(body, same ? before : picked((await visitor.get<Page>(at)).body, wanted), path);
        }
        t.match(await visitor.get(`${at}?fields=${fields[0]},nothing`), {
          status: 400,
          body: {
            error: 'VALIDATION_ERROR',
            details: [{ path: 'fields', message: /"nothing" .* use \w+, / }],
          },
        });
      }
      t.same(full.openapi.breaches, []);
    },
  );
}

t.test('a cursor leads on with other fields, and the client knows what may be missing', async (t) => {
  const full = await startFullApp(t, 'sqlite');
  const { visitor } = await full.superadmin();
  for (const name of ['a', 'b'])
    await visitor.post('/api/tasks', {
      yaml_content: `version: 1\nname: ${name}\nsteps: [{ id: say, kind: log, message: hello }]\n`,
    });
  const key = await visitor.post<{ token: string }>('/api/api-keys', { name: 'client' });
  const client = createClient({ server: full.plane.httpAddress, token: key.body.token });
  const first = await client.GET('/api/tasks', { params: { query: { fields: 'name', limit: 1 } } });
  t.same(first.result, [{ name: 'b' }]);
  const next = { cursor: first.next_cursor ?? '', limit: 1, fields: 'version, name' };
  const second = await client.GET('/api/tasks', { params: { query: next } });
  t.same(second.result, [{ version: 1, name: 'a' }]);
  const paging = {
    column: 'id',
    descending: false,
    after: null,
    limit: 1,
    bound: '',
    fields: ['name'],
  } as const;
  const [row] = await selectTasks(full.plane.store.read, {}, paging);
  t.notOk(row === undefined || 'yaml_content' in row, 'the text is not read from the store');
  const sparse: string | undefined = second.result[0]?.yaml_content;
  t.equal(sparse, undefined);
  const whole = await client.GET('/api/tasks');
  const text: string = whole.result[0]?.yaml_content ?? '';
  t.match(text, /name: b/);
});
