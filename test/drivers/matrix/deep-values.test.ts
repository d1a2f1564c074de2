import { join } from 'node:path';
import t from 'tap';
import { createKeeper, rowsOf, runYaml } from '../../engine/support/task-run.ts';

const yaml = (type: string, object: string) => `version: 1
name: t
connectors: { f: { type: json }, s: { type: ${type} } }
steps:
  - { id: read, kind: extract, connector: f, method: read }
  - { id: write, kind: load, input: read, connector: s, object: ${object}, mode: append, on_error: dead_letter }`;
const NESTED = 50_000;

t.test(
  'a value that is nested too deeply to be written is told with its row, and the others are loaded',
  async (t) => {
    const deep = `{"id":2,"a":${'['.repeat(NESTED)}${']'.repeat(NESTED)}}`;
    for (const [type, object, path] of [
      ['sqlite', 'x', 'x.db'],
      ['json', 'out.ndjson', '.'],
    ] as const) {
      const folder = t.testdir({ 'in.ndjson': `{"id":1,"a":[1]}\n${deep}\n{"id":3,"a":[3]}\n` });
      const connectors = {
        f: { type: 'json', config: { path: 'in.ndjson' } },
        s: { type, config: { path } },
      };
      const keeper = createKeeper();
      t.match(await runYaml({ folder, yaml: yaml(type, object), connectors, keeper }), {
        status: 'warning',
        rows_out: 2,
      });
      t.match(keeper.letters, [
        { message: /nested too deeply to be written as JSON/, origin: { file: 'in.ndjson', line: 2 } },
      ]);
      if (type === 'sqlite')
        t.match(rowsOf(join(folder, 'x.db'), 'SELECT id FROM x'), [{ id: 1 }, { id: 3 }]);
    }
  },
);
