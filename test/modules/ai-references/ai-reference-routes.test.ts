import t, { type Test } from 'tap';
import { installIdempotency } from '../../../src/http/idempotency.ts';
import { registerAiReferenceRoutes } from '../../../src/modules/ai-references/ai-reference-routes.ts';
import { createAiReferences } from '../../../src/modules/ai-references/ai-reference-service.ts';
import { createIdempotencyStore } from '../../../src/store/idempotency-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';

const PATH = '/api/ai/references';
const TABLES = { name: 'Tables', content: 'Tables are plural.', tags: ['warehouse'] };

type Reference = { id: number; name: string; content?: string };
type Page = { result: Reference[]; next_cursor: string | null };

const referencesApp = (t: Test, store: Store) =>
  createTestApp(t, (http, { clock }) => {
    installIdempotency(
      http as never,
      createIdempotencyStore(store, () => clock.now()),
    );
    registerAiReferenceRoutes(http, { store, aiReferences: createAiReferences({ store, clock }) });
  });

await eachStore(t, 'a reference is written by editors, and read by everybody', async (t, store) => {
  const { as, withKey, anonymous } = await referencesApp(t, store);
  const editor = as('editor');
  const created = await editor.post<Reference>(PATH, TABLES);
  t.match(created, { status: 201, headers: { etag: '"1"' } });
  const record = {
    id: created.body.id,
    ...TABLES,
    description: null,
    content_chars: 18,
    enabled: true,
    version: 1,
    created_at: '2026-01-15T12:00:00.000Z',
    updated_at: '2026-01-15T12:00:00.000Z',
    updated_by: 'editor@example.com',
  };
  t.same(created.body, record);
  const path = `${PATH}/${record.id}`;
  t.same((await as('viewer').get(path)).body, record);
  const { content: _text, ...head } = record;
  t.same((await as('viewer').get<Page>(PATH)).body.result[0], head);

  t.match(await editor.put(path, TABLES), { status: 200, headers: { etag: '"1"' } }, 'identical');
  const other = { ...TABLES, content: 'Tables are singular.', enabled: false, description: 'Why' };
  t.match(await editor.put(path, other, { 'if-match': '"1"' }), {
    headers: { etag: '"2"' },
    body: { enabled: false, version: 2, content_chars: 20, description: 'Why' },
  });
  t.match(await editor.put(path, other, { 'if-match': '"1"' }), { status: 412 });
  t.match(await editor.delete(path, { 'if-match': '"1"' }), { status: 412 });

  for (const client of [as('viewer'), as('operator'), withKey('editor', 'ai-references:read', 'ai:run')]) {
    t.equal((await client.post(PATH, TABLES)).status, 403);
    t.equal((await client.put(path, TABLES)).status, 403);
    t.equal((await client.delete(path)).status, 403);
  }
  t.equal((await withKey('viewer', 'tasks:read').get(PATH)).status, 403);
  t.equal((await withKey('viewer', 'ai-references:read').get(PATH)).status, 200);
  t.equal((await anonymous.get(PATH)).status, 401);

  t.equal((await editor.delete(path)).status, 204);
  for (const gone of [await editor.get(path), await editor.put(path, TABLES), await editor.delete(path)])
    t.match(gone, { status: 404, body: { error: 'NOT_FOUND' } });
  const audit = await store.read.selectFrom('audit_logs').selectAll().orderBy('id').execute();
  t.same(
    audit.map(({ action, diff_json }) => [action, JSON.parse(diff_json ?? '')]),
    [
      ['ai_reference.create', { name: 'Tables', enabled: true }],
      ['ai_reference.update', { version: [1, 2], content_changed: true, name: 'Tables', enabled: false }],
      ['ai_reference.delete', { name: 'Tables', enabled: false }],
    ],
  );
});

await eachStore(t, 'names are unique, and what is too much is refused', async (t, store) => {
  const editor = (await referencesApp(t, store)).as('editor');
  t.equal((await editor.post(PATH, TABLES)).status, 201);
  const taken = {
    status: 409,
    body: { error: 'CONFLICT', message: 'There is an AI reference "Tables" already' },
  };
  t.match(await editor.post(PATH, TABLES), taken);
  const second = await editor.post<Reference>(PATH, { ...TABLES, name: 'Second' });
  t.match(await editor.put(`${PATH}/${second.body.id}`, TABLES), taken);
  const wrong = [
    { name: '' },
    { name: 'two\nlines' },
    { content: '' },
    { content: 'x'.repeat(65_537) },
    { content: 'a\u0000b' },
    { tags: ['a', 'a'] },
    { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
    { tags: ['x'.repeat(51)] },
    { enabled: 'yes' },
    { unknown: 1 },
  ];
  for (const more of wrong)
    t.match(
      await editor.post(PATH, { ...TABLES, name: 'Other', ...more }),
      { status: 400, body: { error: 'VALIDATION_ERROR' } },
      JSON.stringify(more).slice(0, 60),
    );
  const strange = { ...TABLES, name: '😀 "quoted" {x}', content: '€😀'.repeat(20_000), tags: ['__proto__'] };
  const kept = await editor.post<Reference>(PATH, strange);
  t.equal(kept.status, 201);
  t.match((await editor.get(`${PATH}/${kept.body.id}`)).body, { ...strange, content_chars: 40_000 });
  t.match((await editor.get<Page>(PATH)).body.result[0], { name: strange.name, content_chars: 40_000 });
  const again = { 'idempotency-key': 'one' };
  const first = await editor.post<Reference>(PATH, { ...TABLES, name: 'Once' }, again);
  const replayed = await editor.post<Reference>(PATH, { ...TABLES, name: 'Once' }, again);
  t.same(replayed.body, first.body);
});

await eachStore(t, 'lists are filtered and paged', async (t, store) => {
  const editor = (await referencesApp(t, store)).as('editor');
  for (const [name, enabled] of [
    ['Alpha', true],
    ['Beta', false],
    ['100%', true],
  ] as const)
    await editor.post(PATH, { ...TABLES, name, enabled });
  const namesOf = async (query: string) =>
    (await editor.get<Page>(`${PATH}${query}`)).body.result.map(({ name }) => name);
  t.same(await namesOf(''), ['100%', 'Beta', 'Alpha']);
  t.same(await namesOf('?enabled=false'), ['Beta']);
  t.same(await namesOf('?q=ALP'), ['Alpha']);
  t.same(await namesOf('?q=00%25'), ['100%'], 'a wildcard is a plain character');
  const first = (await editor.get<Page>(`${PATH}?limit=2`)).body;
  t.same(await namesOf(`?limit=2&cursor=${first.next_cursor}`), ['Alpha']);
  t.equal((await editor.get(`${PATH}?q=x&cursor=${first.next_cursor}`)).status, 400);
  t.equal((await editor.get(`${PATH}?enabled=maybe`)).status, 400);
});
