import t from 'tap';
import { execute, rowsOf } from '../../drivers/sql/engines.ts';
import { onEachDatabase } from '../support/sql-targets.ts';
import { runYaml } from '../support/task-run.ts';

/* An append that has committed and was not verified: another attempt, or a rerun, finds its rows in the target and verifies them. */

t.setTimeout(120_000);

const ROWS = 3;
const yaml = (type: string, read: string, keys: string) => `
version: 1
name: orders
connectors: { source: {type: csv}, target: {type: ${type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read${read} }
  - { id: write, kind: load, input: read, connector: target, object: orders, mode: append, ${keys} }
`;

onEachDatabase(t, { 'in.csv': 'id,label\n1,one\n2,two\n3,three\n' }, async (t, target, folder) => {
  const { connector, connection: c } = target;
  const connectors = { source: { type: 'csv', config: { path: 'in.csv' } }, target: connector };
  const attempt = async (id: number, no: number, keys: string, read = '') => {
    const input = { run: { id, attempt: no } };
    const outcome = await runYaml({ folder, yaml: yaml(connector.type, read, keys), connectors, input });
    const { keeper, status, failure, steps } = outcome;
    const load = steps.find(({ kind }) => kind === 'load');
    const logs = keeper.logs.map(({ message }) => message).join('\n');
    return { status, code: failure?.code, load, logs, letters: keeper.letters.length };
  };
  /** Rows of an earlier attempt of which the target has changed one. */
  const prepare = async (id: number, keys: string, read = '') => {
    await execute(c, 'DROP TABLE IF EXISTS orders');
    t.match(await attempt(id, 1, keys, read), { status: 'success', load: { verification: { equal: true } } });
    await execute(c, "UPDATE orders SET label = 'changed' WHERE id = 3");
  };
  const countRows = async () => (await rowsOf(c, 'SELECT id FROM orders')).length;

  await prepare(1, 'verify: {key: [id]}');
  for (const no of [2, 3]) {
    t.match(await attempt(1, no, 'verify: {key: [id]}'), {
      status: 'error',
      code: 'VERIFY_DIFFERS',
      load: { rows_out: ROWS, verification: { differing: 1, missing: 0 } },
      logs: /An earlier attempt already loaded these 3 rows; they are read again to verify them/,
    });
    t.equal(await countRows(), ROWS, 'nothing is appended twice');
  }

  const letters = 'verify: {key: [id], on_difference: dead_letter}';
  await prepare(2, letters);
  t.match(await attempt(2, 2, letters), { status: 'warning', letters: 1, load: { rows_failed: 1 } });

  const unknown = { status: 'warning', load: { rows_out: ROWS }, logs: /were verified is not known/ };
  const refusing = 'on_error: skip, verify: {key: [id]}';
  await prepare(3, refusing);
  t.match(await attempt(3, 2, refusing), unknown, 'which rows the target refused is not known');
  const cursor = ', cursor: {field: id, type: integer}';
  await prepare(4, 'verify: {key: [id]}', cursor);
  t.match(await attempt(4, 2, 'verify: {key: [id]}', cursor), unknown, 'the cursor may have moved');
  t.equal(await countRows(), ROWS);
});
