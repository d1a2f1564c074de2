import t from 'tap';
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

t.test('an expression that never ends fails its example, and the next one runs', async (t) => {
  const cwd = t.testdir({ 'endless.yaml': TASK });
  const { code, stdout, stderr } = await runCli(['test', 'endless.yaml'], { cwd });
  t.equal(code, 1, stderr);
  t.match(stdout, /^NOT endless\.yaml: never ends\n +UNPROCESSABLE: .* longer than 10 s and was stopped\n/);
  t.match(stdout, /\nok {2}endless\.yaml: ends\n/);
  t.match(stdout, /\n1 passed, 1 failed\n$/);
});
