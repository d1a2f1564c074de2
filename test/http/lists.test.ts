import t from 'tap';
import { type FullApp, startFullApp } from '../support/full-app.ts';
import type { OpenapiDocument, OpenapiOperation } from '../support/openapi-check.ts';
import { STORE_KINDS } from '../support/stores.ts';

/** Lists whose order is a part of what they say. */
const OF_ONE_ORDER = new Set(['/api/backfills/{id}']);

interface List {
  readonly path: string;
  readonly sorts: readonly string[];
}

/** Every route with pages that follow one another. */
function listsOf(full: FullApp): List[] {
  const { paths } = full.http.swagger() as unknown as OpenapiDocument;
  const sortsOf = (operation: OpenapiOperation) => {
    const sort = operation.parameters?.find(({ name }) => name === 'sort') as
      | { schema: { enum: string[] } }
      | undefined;
    return sort?.schema.enum ?? [];
  };
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'cursor') === true ? [{ path, sorts: sortsOf(get) }] : [],
  );
}

const pathOf = (path: string, query: string) => `${path.replace(/\{\w+\}/g, '1')}?${query}`;

for (const kind of STORE_KINDS) {
  t.test(`every list is sorted by every field that it names (${kind})`, async (t) => {
    const full = await startFullApp(t, kind);
    const { visitor } = await full.superadmin();
    const lists = listsOf(full);
    t.ok(lists.length >= 18, `${lists.length} lists`);
    for (const { path, sorts } of lists) {
      if (OF_ONE_ORDER.has(path)) continue;
      t.ok(sorts.includes('id') && sorts.includes('-id'), `${path} has an order`);
      for (const sort of sorts) {
        const { status, text } = await visitor.get(pathOf(path, `sort=${sort}`));
        t.ok([200, 404].includes(status), `${path} by ${sort}: ${status} ${text}`);
      }
      t.match(await visitor.get(pathOf(path, 'sort=version')), { status: 400 }, path);
    }
  });

  t.test(`a cursor leads through its own list, in its own order, and nowhere else (${kind})`, async (t) => {
    const full = await startFullApp(t, kind);
    const { visitor } = await full.superadmin();
    const names = ['b', 'a', 'c', 'a'];
    for (const name of names) t.match(await visitor.post('/api/api-keys', { name }), { status: 201 });
    type Keys = { result: { name: string }[]; next_cursor: string | null };
    for (const sort of ['name', '-name']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const at: string = `/api/api-keys?limit=1&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const { body }: { body: Keys } = await visitor.get<Keys>(at);
        seen.push(...body.result.map(({ name }) => name));
        cursor = body.next_cursor;
      }
      t.same(seen, sort === 'name' ? ['a', 'a', 'b', 'c'] : ['c', 'b', 'a', 'a']);
    }
    const { body } = await visitor.get<Keys>('/api/api-keys?limit=1&sort=id');
    for (const { path } of listsOf(full)) {
      const query = OF_ONE_ORDER.has(path) ? '' : 'sort=id&';
      const { status } = await visitor.get(pathOf(path, `${query}cursor=${body.next_cursor}`));
      t.ok((path === '/api/api-keys' ? [200] : [400, 404]).includes(status), `${path}: ${status}`);
    }
    const other = `/api/api-keys?cursor=${body.next_cursor}`;
    t.match(await visitor.get(other), { status: 400, body: { error: 'VALIDATION_ERROR' } });
  });
}
