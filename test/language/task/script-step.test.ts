import t from 'tap';
import { loadConnectorTypes } from '../../../src/drivers/registry.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';

const connectorTypes = await loadConnectorTypes();

function problems(step: Readonly<Record<string, unknown>>, options: object = { connectorTypes }): string[] {
  const task = {
    name: 'x',
    connectors: { db: { type: 'sqlite' } },
    steps: [
      { id: 'read', kind: 'extract', connector: 'db', method: 'list', args: { table: 'orders' } },
      { id: 's', kind: 'script', input: 'read', ...step },
    ],
  };
  const parsed = parseTask(JSON.stringify(task), options);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path} ${message}`);
}

t.test('the code of a script is read when it is saved, and not again', (t) => {
  t.same(problems({ code: 'export default (item) => item' }), []);
  t.same(problems({ code: 'export default (item: { n: number }) => item', language: 'typescript' }), []);
  t.same(problems({ code: 'not python at all', language: 'python' }), []);
  t.match(problems({ code: 'export default (item) => {\n  return item +;\n}' }), [
    /^steps\[1\]\.code The code cannot be read: Expression expected \(line 2 of the code\)$/,
  ]);
  t.match(problems({ code: 'const x = 1;\nexport default (item: object) => item' }), [
    /has types: give language: typescript \(line 2 of the code\)/,
  ]);
  t.same(problems({ code: 'export default (' }, {}), [], 'as stored');
  t.end();
});

t.test('keys of a script are checked', (t) => {
  t.match(problems({ language: 'javascript' }), [/"code" is required/]);
  t.match(problems({ code: 'x', language: 'ruby' }), [
    /"language" must be one of javascript, typescript, python/,
  ]);
  t.match(problems({ code: 'export default 1', file: 'a.js' }), [/"file" is not supported by this version/]);
  t.match(problems({ code: 'export default 1', item_timeout: 5 }), [/"item_timeout" must be a duration/]);
  t.match(problems({ code: 'export default 1', args: { a: '{{ nosuch }}' } }), [/nosuch/]);
  t.end();
});
