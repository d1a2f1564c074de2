import t from 'tap';
import { startFullApp } from '../support/full-app.ts';

const yaml = (title: string) => `version: 1
name: copy
description: ${title}
steps:
  - {id: hello, kind: log, message: hello}
`;

t.test('a task is changed by who has read its newest version', async (t) => {
  const full = await startFullApp(t);
  const { visitor } = await full.superadmin();
  const put = (text: string, headers = {}) =>
    visitor.put('/api/tasks/1', { name: 'copy', yaml_content: text }, headers);
  const made = await visitor.post('/api/tasks', { name: 'copy', yaml_content: yaml('one') });
  t.match(made, { status: 201, headers: { etag: '"1"' } }, made.text);
  t.match(await visitor.get('/api/tasks/1'), { headers: { etag: '"1"' } });
  t.match(await put(yaml('two'), { 'if-match': '"1"' }), { status: 200, headers: { etag: '"2"' } });
  t.match(await put(yaml('three'), { 'if-match': '"1"' }), {
    status: 412,
    body: { error: 'PRECONDITION_FAILED', message: /it is at version 2, If-Match says 1/ },
  });
  t.match(
    await put(yaml('two')),
    { status: 200, headers: { etag: '"2"' } },
    'identical content is no new version',
  );
  t.match(
    await put(yaml('four')),
    { status: 200, headers: { etag: '"3"' } },
    'without If-Match the last write wins',
  );
  t.match(await put(yaml('five'), { 'if-match': '*' }), { status: 200, headers: { etag: '"4"' } });
  for (const header of [
    '4',
    'W/"4"',
    '"x"',
    '"-1"',
    `"${'9'.repeat(20)}"`,
    '',
    '"1", "2"',
    '"4" "5"',
    '"4", 4',
    'W/"4", "3"',
    ',',
  ])
    t.equal((await put(yaml('six'), { 'if-match': header })).status, 412, header);
  const race = await Promise.all(['a', 'b', 'c'].map((title) => put(yaml(title), { 'if-match': '"4"' })));
  t.same(race.map((answer) => answer.status).sort(), [200, 412, 412], 'of three at once one');
  t.match(
    await put(yaml('seven'), { 'if-match': '"1", "2"' }),
    { status: 412, body: { message: /it is at version 5, If-Match says 1, 2/ } },
    'none of a list',
  );
  t.match(
    await put(yaml('seven'), { 'if-match': 'W/"5", "x", "3","5"' }),
    { status: 200, headers: { etag: '"6"' } },
    'one of a list',
  );
  t.equal((await visitor.delete('/api/tasks/1', { 'if-match': '"4"' })).status, 412);
  t.equal((await visitor.delete('/api/tasks/1', { 'if-match': '"6"' })).status, 204);
  t.same(full.openapi.breaches, []);
});

t.test('a definition that has not changed is not sent again', async (t) => {
  const full = await startFullApp(t);
  const { visitor } = await full.superadmin();
  const name = 'copy';
  await visitor.post('/api/tasks', { name, yaml_content: yaml('one') });
  const get = (known: string) => visitor.get('/api/tasks/1', { 'if-none-match': known });
  t.match(await get('"1"'), { status: 304, text: '', headers: { etag: '"1"' } });
  t.match(await get('"7", W/"1"'), { status: 304 });
  await visitor.put('/api/tasks/1', { name, yaml_content: yaml('two') });
  t.match(await get('"1"'), { status: 200, headers: { etag: '"2"' }, body: { version: 2 } });
  await visitor.post('/api/tasks/1/archive');
  const archived = await get('"2"');
  t.match(archived, { status: 200, headers: { etag: '"2-archived"' }, body: { status: 'archived' } });
  t.match(await get('"2-archived"'), { status: 304 });
  const put = (tag: string) =>
    visitor.put('/api/tasks/1', { name, yaml_content: yaml('three') }, { 'if-match': tag });
  t.match(await put('"1-archived"'), { status: 412 });
  t.match(await put('"2-archived"'), { status: 200, body: { version: 3 } });
  t.match(await visitor.get('/api/branding', { 'if-none-match': '"0"' }), { status: 304, text: '' });
  t.same(full.openapi.breaches, []);
});
