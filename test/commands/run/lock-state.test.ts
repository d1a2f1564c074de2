import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { lockState } from '../../../src/commands/run/lock-state.ts';
import { runCli } from '../../support/run-cli.ts';

const TASK = `version: 1
name: new
connectors: { shop: { type: csv }, db: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: shop, method: read, cursor: { field: id, type: integer } }
  - { id: write, kind: load, input: read, connector: db, object: rows, mode: append }
`;

t.test('one run at a time has a state file: what two of them append would be there twice', async (t) => {
  const cwd = t.testdir({ 'new.yaml': TASK, 'in.csv': 'id\n1\n' });
  const given = ['--connector', 'shop=csv:in.csv', '--connector', 'db=sqlite:out.db'];
  const run = () => runCli(['run', 'new.yaml', '--state', 'state.json', ...given], { cwd });
  const unlock = await lockState(join(cwd, 'state.json'));
  t.match(await run(), { code: 1, stderr: /^Another run is using the state file "state\.json"/ });
  t.notOk(existsSync(join(cwd, 'out.db')));
  unlock();
  t.match(await run(), { code: 0 });
  t.match(await run(), { code: 0 }, 'the lock went with the run');
});

t.test('a state file that cannot be written is refused before the run, not after it', async (t) => {
  const cwd = t.testdir({ 'new.yaml': TASK, 'in.csv': 'id\n1\n' });
  const args = ['run', 'new.yaml', '--state', 'none/state.json', '--connector', 'shop=csv:in.csv'];
  const refused = await runCli([...args, '--connector', 'db=sqlite:out.db'], { cwd });
  t.match(refused, { code: 78, stderr: /^The state file "none\/state\.json" cannot be written\n$/ });
  t.notOk(existsSync(join(cwd, 'out.db')));
});
