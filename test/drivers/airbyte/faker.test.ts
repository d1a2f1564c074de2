import t from 'tap';
import { connectAirbyte } from '../../../src/drivers/plugins/airbyte/connect.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { findProgram } from '../../support/find-program.ts';
import { contextWith, rowsOf, signal } from './scripted.ts';

const program = findProgram(process.env['AIRBYTE_SOURCE_FAKER_PATH'], ['source-faker']);
const skip = program === null && 'needs airbyte-source-faker at AIRBYTE_SOURCE_FAKER_PATH';

const connect = () => {
  const plugin = { name: 'faker', command: [program ?? ''], folder: null, memoryMb: 1_024 };
  const config = { plugin: 'faker', config: { count: 1_500, always_updated: false } };
  return connectAirbyte(config, contextWith(plugin));
};
const args = { stream: 'users' };

t.test('a source of the ecosystem is read', { skip }, async (t) => {
  const states: unknown[] = [];
  const onState = (state: unknown) => states.push(state);
  const rows = await rowsOf(await connect(), { args, state: { saved: null, onState } });
  t.equal(rows.length, 1_500);
  t.match(rows[0], { id: 1, name: String });
  t.match(states.at(-1), [{ stream: { stream_state: { loop_offset: 1_500 } } }]);
});

t.test(
  'it is tested, described, and read from a state: nothing is read again',
  { skip: skip || ofFullList.skip },
  async (t) => {
    const connection = await connect();
    t.equal(await connection.test(signal), 'The source "faker" is ready');
    const names = (await connection.listResources(signal)).map(({ name }) => name);
    t.strictSame(names.sort(), ['products', 'purchases', 'users']);
    const columns = await connection.describe('users', signal);
    t.match(
      columns.filter(({ name }) => ['id', 'created_at', 'address'].includes(name)),
      [
        { name: 'id', type: 'integer', key: true },
        { name: 'created_at', type: 'timestamp' },
        { name: 'address', type: 'json' },
      ],
    );
    const states: unknown[] = [];
    const onState = (state: unknown) => states.push(state);
    await rowsOf(connection, { args, state: { saved: null, onState } });
    t.strictSame(await rowsOf(connection, { args, state: { saved: states.at(-1), onState } }), []);
  },
);
