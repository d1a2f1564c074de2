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
  for (const header of ['4', 'W/"4"', '"x"', '"-1"', `"${'9'.repeat(20)}"`, ''])
    t.equal((await put(yaml('six'), { 'if-match': header })).status, 412, header);
  const race = await Promise.all(['a', 'b', 'c'].map((title) => put(yaml(title), { 'if-match': '"4"' })));
  t.same(race.map((answer) => answer.status).sort(), [200, 412, 412], 'of three at once one');
  t.equal((await visitor.delete('/api/tasks/1', { 'if-match': '"4"' })).status, 412);
  t.equal((await visitor.delete('/api/tasks/1', { 'if-match': '"5"' })).status, 204);
  t.same(full.openapi.breaches, []);
});
