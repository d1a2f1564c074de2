import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openLocalState } from '../../../src/commands/run/local-state.ts';

t.test('cursors are kept in a file that only its owner reads', async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'state.json');
  const state = openLocalState(path);
  t.same(state.read('read'), { value: null, version: 0 });
  t.same(state.save('read', 41, 0), { version: 1, stored: true });
  t.same(state.save('other', 'b', 0), { version: 1, stored: true });
  t.equal(statSync(path).mode & 0o777, 0o600);
  t.same(readdirSync(folder), ['state.json'], 'nothing is left beside it');
  const again = openLocalState(path);
  t.same(again.read('read'), { value: 41, version: 1 });
  t.same(again.read('other'), { value: 'b', version: 1 });
});

t.test('a cursor that has moved meanwhile is not moved back', async (t) => {
  const state = openLocalState(null);
  state.save('read', 41, 0);
  t.same(state.save('read', 7, 0), { version: 1, stored: false });
  t.same(state.read('read'), { value: 41, version: 1 });
  t.same(state.save('read', 42, 1), { version: 2, stored: true });
});

t.test('a file that holds something else is not taken for an empty state', async (t) => {
  const path = join(t.testdir(), 'state.json');
  for (const text of [
    '',
    '{',
    '[]',
    '{"cursors": []}',
    '{"cursors": {"read": 1}}',
    '{"cursors": {"read": {}}}',
  ]) {
    writeFileSync(path, text);
    t.throws(() => openLocalState(path), { exitCode: 78, message: /is not a run state file/ }, text);
  }
  t.throws(() => openLocalState('/'), { exitCode: 78, message: /cannot be read/ });
});
