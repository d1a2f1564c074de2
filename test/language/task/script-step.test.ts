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
    /^steps\[1\]\.code The code cannot be parsed: Expression expected \(line 2 of the code\)$/,
  ]);
  t.match(problems({ code: 'const x = 1;\nexport default (item: object) => item' }), [
    /has types: give language: typescript \(line 2 of the code\)/,
  ]);
  t.same(problems({ code: 'export default (' }, {}), [], 'as stored');
  t.end();
});

t.test('keys of a script are checked', (t) => {
  t.match(problems({ language: 'javascript' }), [/"code", or "file" with the code, is required/]);
  t.match(problems({ code: 'x', language: 'ruby' }), [
    /"language" must be one of javascript, typescript, python/,
  ]);

  t.match(problems({ code: 'export default 1', item_timeout: 5 }), [/"item_timeout" must be a duration/]);
  t.match(problems({ code: 'export default 1', args: { a: '{{ nosuch }}' } }), [/nosuch/]);
  t.end();
});

t.test('what a script imports is pinned by a lock beside it', (t) => {
  const hash = `--hash=sha256:${'a'.repeat(64)}`;
  const python = (more: object) =>
    problems({ code: 'x', language: 'python', dependencies: ['Requests[socks]>=2'], ...more });
  const lock = `# made today\nrequests==2.32.0 \\\n    ${hash} \\\n    ${hash}\nidna==3 ; python_version < '4' ${hash}`;
  t.same(python({ lock }), []);
  t.match(python({}), [/^steps\[1\]\.dependencies "dependencies" needs a "lock".*headgate lock/]);
  t.match(python({ lock: 'requests==2.32.0' }), [/every line must be name==version with a --hash/]);
  t.match(python({ lock: `-r other.txt\n${lock}` }), [/The lock has "-r other\.txt"/]);
  t.match(python({ lock: `requests @ https://x/y.whl ${hash}` }), [/every line must be/]);
  t.match(python({ lock: `--index-url https://x ${hash}\n${lock}` }), [/every line must be/]);
  t.match(python({ lock: `request==1 ${hash}` }), [/does not contain "Requests"; did you mean "request"\?/]);
  for (const dependency of ['git+https://x/y', './mine', '-e .', 'x @ https://y', ''])
    t.match(
      python({ dependencies: [dependency], lock })[0],
      /not an index package;|must be a text/,
      dependency,
    );
  t.match(python({ packages: 'geo', lock }), [/"packages" has no effect: Python has "dependencies"/]);
  t.match(python({ dependencies: [], lock: '' }), []);

  const code = 'export default (item) => item';
  t.same(problems({ code, packages: 'geo', lock: `sha256:${'a'.repeat(64)}` }), []);
  t.match(problems({ code, packages: 'geo' }), [/"packages" needs a "lock"/]);
  t.match(problems({ code, packages: 'geo', lock }), [/"lock" must be sha256:/]);
  t.match(problems({ code, lock }), [/"lock" has no effect: there is no "packages" beside it/]);
  t.match(problems({ code, dependencies: ['lodash'] }), [/JavaScript has "packages"/]);
  t.end();
});
