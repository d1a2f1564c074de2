// Long list: it waits for services that fail in every way; quick: test/drivers/airbyte/airbyte.test.ts.
import t from 'tap';
import { parse } from 'yaml';
import { configProblems } from '../../../src/drivers/plugins/airbyte/config-problems.ts';
import { configSchemaOf } from '../../../src/drivers/plugins/airbyte/config-schema.ts';
import { connectAirbyte } from '../../../src/drivers/plugins/airbyte/connect.ts';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { findProgram } from '../../support/find-program.ts';
import { contextWith, rowsOf, signal } from './scripted.ts';

const program = findProgram(process.env['AIRBYTE_SOURCE_FAKER_PATH'], ['source-faker']);
const skip = program === null && 'needs airbyte-source-faker at AIRBYTE_SOURCE_FAKER_PATH';

const plugin = { name: 'faker', command: [program ?? ''], folder: null, memoryMb: 1_024 };
const connect = () => {
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

t.test('the example of the guide is a configuration that a server would save', { skip }, async (t) => {
  const blocks = codeBlocks('docs/connectors/airbyte.md');
  const connectors = parse(blocks.find(({ info }) => info === 'yaml connectors')?.text ?? '');
  const { config } = connectors.shop.config;
  const schema = configSchemaOf(await (await connect()).call('spec', {}, signal));
  t.match(schema, { properties: { count: { minimum: 1 } } });
  t.same(configProblems(schema, config, {}), [], 'a server would save it');
  t.match(configProblems(schema, { ...config, count: 0 }, {}), [{ path: 'config.config.count' }]);
});
