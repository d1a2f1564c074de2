import { join } from 'node:path';
import t from 'tap';
import { scriptedPlugin } from '../../drivers/airbyte/scripted.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { createKeeper, type Keeper, rowsOf, runYaml } from '../support/task-run.ts';

const yamlOf = (mode: string) => `
version: 1
name: people
connectors: { source: {type: airbyte}, target: {type: sqlite} }
steps:
  - id: read
    kind: extract
    connector: source
    method: read
    args: { stream: people }
    ${mode === 'replace' ? '' : 'cursor: { state: true }'}
  - { id: write, kind: load, input: read, connector: target, object: people, mode: ${mode}${mode === 'merge' ? ', key: [id]' : ''} }
`;

interface Read {
  readonly folder: string;
  readonly keeper: Keeper;
  readonly id: number;
  readonly rows: number;
  readonly source?: string;
  readonly mode?: string;
}

function run({ folder, keeper, id, rows, source = 'good', mode = 'append' }: Read) {
  const connectors = {
    source: { type: 'airbyte', config: { plugin: 'scripted', config: { mode: source, rows } } },
    target: { type: 'sqlite', config: { path: 'target.db' } },
  };
  const plugins = [scriptedPlugin];
  return runYaml({
    folder,
    yaml: yamlOf(mode),
    connectors,
    keeper,
    plugins,
    input: { run: { id, attempt: 1 } },
  });
}

const loaded = (folder: string) =>
  rowsOf(join(folder, 'target.db'), 'SELECT id FROM people ORDER BY id').map((row) => row['id']);
const savedIn = ({ checkpoints }: Keeper) => checkpoints.get('read')?.value;
const stateAt = (last: number) => [
  { type: 'STREAM', stream: { stream_descriptor: { name: 'people' }, stream_state: { last } } },
];

t.test('a run reads on from the state of the last one whose rows were loaded', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  t.match(await run({ folder, keeper, id: 1, rows: 4 }), { status: 'success', rows_in: 4 });
  t.strictSame(savedIn(keeper), stateAt(4));
  t.match(await run({ folder, keeper, id: 2, rows: 4 }), { status: 'success', rows_in: 0 });
  t.equal(keeper.checkpoints.get('read')?.version, 1);
  t.match(await run({ folder, keeper, id: 3, rows: 8, mode: 'merge' }), { status: 'success', rows_in: 4 });
  t.strictSame(savedIn(keeper), stateAt(8));
  t.strictSame(loaded(folder), [1, 2, 3, 4, 5, 6, 7, 8]);
});

t.test('a read that is not complete loads nothing, and the state stays', ofFullList, async (t) => {
  for (const source of ['incomplete', 'unfinished', 'crash', 'error']) {
    const folder = t.testdir();
    const keeper = createKeeper();
    await run({ folder, keeper, id: 1, rows: 2 });
    const failed = await run({ folder, keeper, id: 2, rows: 6, source });
    t.equal(failed.status, 'error', source);
    t.strictSame([savedIn(keeper), loaded(folder)], [stateAt(2), [1, 2]], source);
    const replaced = await run({ folder, keeper, id: 3, rows: 6, source, mode: 'replace' });
    t.equal(replaced.status, 'error', source);
    t.strictSame(loaded(folder), [1, 2], `${source}: the rows before are kept`);
  }
});

t.test('rows of a run that died before it could save the state are not appended twice', async (t) => {
  const folder = t.testdir();
  const keeper = createKeeper();
  await run({ folder, keeper, id: 1, rows: 2 });
  const away: Keeper = {
    ...keeper,
    ports: {
      ...keeper.ports,
      saveCheckpoint: async (name, value, version) => {
        if (name === 'read') throw new Error('away');
        return keeper.ports.saveCheckpoint(name, value, version);
      },
    },
  };
  t.equal((await run({ folder, keeper: away, id: 2, rows: 4 })).status, 'error');
  t.strictSame([savedIn(keeper), loaded(folder)], [stateAt(2), [1, 2, 3, 4]]);
  t.match(await run({ folder, keeper, id: 3, rows: 6 }), { status: 'success', rows_in: 2 });
  t.strictSame([savedIn(keeper), loaded(folder)], [stateAt(6), [1, 2, 3, 4, 5, 6]]);
});
