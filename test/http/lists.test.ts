import t from 'tap';
import { startFullApp } from '../support/full-app.ts';
import { makeOneOfEach, type OneOfEach, valueFor } from '../support/one-of-each.ts';
import { type OpenapiOperation, openapiDocument } from '../support/openapi-check.ts';
import { drawnKinds } from '../support/stores.ts';

/** The dead letter that is made is of a run of a task alone. */
const EMPTY = new Set(['/api/jobs/{id}/dead-letters']);
/** Lists whose order is a part of what they say. */
const OF_ONE_ORDER = new Set([
  '/api/backfills/{id}',
  '/api/job-templates/{id}/versions',
  '/api/jobs/{id}/config/history',
  '/api/jobs/{id}/state',
  '/api/jobs/{id}/state/{task_key}',
  '/api/runs/{id}/steps',
  '/api/server/queue',
  '/api/tasks/{id}/versions',
  '/api/webhooks/{id}/deliveries',
  '/api/notifications/channels/{id}/deliveries',
]);

interface List {
  readonly path: string;
  readonly sorts: readonly string[];
}

/** Every route with pages that follow one another, of the document that a server gives, as its own test proves. */
function allLists(): List[] {
  const sortsOf = (operation: OpenapiOperation) => {
    const sort = operation.parameters?.find(({ name }) => name === 'sort') as
      | { schema: { enum: string[] } }
      | undefined;
    return sort?.schema.enum ?? [];
  };
  return Object.entries(openapiDocument().paths).flatMap(([path, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'cursor') === true ? [{ path, sorts: sortsOf(get) }] : [],
  );
}

/** The list below the record that was made for it. */
function pathOf(one: OneOfEach, path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = valueFor(one, { method: 'GET', path }, name);
    if (value === undefined) throw new Error(`${path}: nothing was made for "${name}"`);
    return value;
  });
}

const lists = allLists();

for (const kind of drawnKinds(t))
  t.test(kind, async (t) => {
    const full = await startFullApp(t, kind);
    const { visitor } = await full.superadmin();
    const one = await makeOneOfEach(full, visitor);

    t.test('every list is sorted by every field that it names', async (t) => {
      t.ok(lists.length >= 24, `${lists.length} lists`);
      for (const { path, sorts } of lists) {
        const at = pathOf(one, path);
        const plain = await visitor.get<{ result: unknown[] }>(at);
        t.match(plain, { status: 200 }, path);
        if (OF_ONE_ORDER.has(path)) continue;
        t.equal(plain.body.result.length > 0, !EMPTY.has(path), `${path} has something to sort`);
        t.ok(sorts.includes('id') && sorts.includes('-id'), `${path} has an order`);
        for (const sort of sorts) {
          const { status, body, text } = await visitor.get<{ result: unknown[] }>(`${at}?sort=${sort}`);
          t.equal(status, 200, `${path} by ${sort}: ${text}`);
          t.equal(body.result.length, plain.body.result.length, `${path} by ${sort}`);
        }
        t.match(await visitor.get(`${at}?sort=nothing`), { status: 400 }, path);
      }
      t.same(full.openapi.breaches, []);
    });

    t.test('a cursor leads through its own list, in its own order, and nowhere else', async (t) => {
      await visitor.delete(`/api/api-keys/${one.values.get('api-keys')}`);
      const names = ['b', 'a', 'c', 'a'];
      for (const name of names) t.match(await visitor.post('/api/api-keys', { name }), { status: 201 });
      type Keys = { result: { name: string }[]; next_cursor: string | null };
      for (const sort of ['name', '-name']) {
        const seen: string[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const at: string = `/api/api-keys?limit=1&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`;
          const { body, headers } = await visitor.get<Keys>(at);
          seen.push(...body.result.map(({ name }) => name));
          cursor = body.next_cursor;
          const link = `<?limit=1&sort=${sort}&cursor=${cursor}>; rel="next"`;
          t.equal(headers['link'], cursor === null ? undefined : link);
        }
        t.same(seen, sort === 'name' ? ['a', 'a', 'b', 'c'] : ['c', 'b', 'a', 'a']);
      }
      const { body } = await visitor.get<Keys>('/api/api-keys?limit=1&sort=id');
      for (const { path } of lists) {
        const query = OF_ONE_ORDER.has(path) ? '' : 'sort=id&';
        const at = `${pathOf(one, path)}?${query}cursor=${body.next_cursor}`;
        t.equal((await visitor.get(at)).status, path === '/api/api-keys' ? 200 : 400, path);
      }
      t.same(full.openapi.breaches, []);
      const other = `/api/api-keys?cursor=${body.next_cursor}`;
      t.match(await visitor.get(other), { status: 400, body: { error: 'VALIDATION_ERROR' } });
    });
  });
