import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { runCli } from '../support/run-cli.ts';

const TASK = `version: 1
name: endless
connectors: { orders: { type: csv } }
steps:
  - { id: read, kind: extract, connector: orders, method: read }
  - id: shape
    kind: transform
    input: read
    ops: [{ map: { n: "$count($match(item.text, /^(a+)+$/))" } }]
tests:
  - { name: never ends, input: [{ text: ${'a'.repeat(60)}b }], expect: [{ n: 0 }] }
  - { name: ends, input: [{ text: aaa }], expect: [{ n: 1 }] }
`;

t.test('an expression that never ends fails its example, and the next one runs', ofFullList, async (t) => {
  const cwd = t.testdir({ 'endless.yaml': TASK });
  const { code, stdout, stderr } = await runCli(['test', 'endless.yaml'], { cwd });
  t.equal(code, 1, stderr);
  t.match(stdout, /^NOT endless\.yaml: never ends\n +UNPROCESSABLE: .* longer than 10 s and was stopped\n/);
  t.match(stdout, /\nok {2}endless\.yaml: ends\n/);
  t.match(stdout, /\n1 passed, 1 failed\n$/);
});

t.test('a task that a step runs is found next to the file, or named with --task', async (t) => {
  const child = (greeting: string) => `version: 1
name: greet
connectors: { people: { type: csv } }
steps:
  - { id: read, kind: extract, connector: people, method: read }
  - { id: shape, kind: transform, input: read, ops: [{ set: { said: "'${greeting} ' & item.name" } }] }
`;
  const cwd = t.testdir({
    'main.yaml': `version: 1
name: main
connectors: { people: { type: csv } }
steps:
  - { id: greet, kind: run_task, task: greet }
tests:
  - { name: greets, input: { greet/read: [{ name: Ada }] }, expect: { greet/shape: [{ name: Ada, said: Hello Ada }] } }
`,
    shared: { 'greet.yaml': child('Hello'), 'other.yaml': child('Bye') },
  });
  const missing = await runCli(['test', 'main.yaml'], { cwd });
  t.match(missing, { code: 1, stdout: /NOT main\.yaml: greets\n +\w+.*: .*"greet"/ });
  const given = await runCli(['test', 'main.yaml', '--task', 'shared/greet.yaml'], { cwd });
  t.match(given, { code: 0, stdout: /^ok {2}main\.yaml: greets\n/ });
  const wrong = await runCli(['test', 'main.yaml', '--task', 'shared/other.yaml'], { cwd });
  t.match(wrong, { code: 1, stdout: /\+\{"name":"Ada","said":"Bye Ada"\}/ });
  const both = ['test', 'main.yaml', '--task', 'shared/other.yaml', '--task', 'shared/greet.yaml'];
  t.match(await runCli(both, { cwd }), { code: 2, stderr: /"greet" is in both .*: choose one with --task/ });
});

t.test(
  'an undeclared name in a task that a step runs is refused before anything runs',
  ofFullList,
  async (t) => {
    const child = `version: 1
name: greet
connectors: { people: { type: csv } }
steps:
  - { id: read, kind: extract, connector: people, method: read }
  - { id: told, kind: log, message: "{{ steps.raed.count }} people" }
`;
    const cwd = t.testdir({
      'main.yaml': `version: 1
name: main
connectors: { people: { type: csv } }
steps:
  - { id: greet, kind: run_task, task: greet }
tests:
  - { name: greets, input: { greet/read: [{ name: Ada }] }, expect: {} }
`,
      'greet.yaml': child,
      'people.csv': 'name\nAda\n',
    });
    const said = /main\.yaml:5:\d+: .*The task "greet" is not valid: .*raed.*did you mean "read"/;
    const connector = ['--connector', 'people=csv:people.csv'];
    for (const args of [['test'], ['validate'], ['run', ...connector], ['preview', ...connector]]) {
      const [verb = '', ...options] = args;
      const { code, stdout, stderr } = await runCli([verb, 'main.yaml', ...options], { cwd });
      t.equal(code, 1, verb);
      t.match(stdout + stderr, said, verb);
    }
  },
);
