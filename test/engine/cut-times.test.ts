import t from 'tap';
import { onEachDatabase } from './support/sql-targets.ts';
import { runYaml } from './support/task-run.ts';

const YAML = (type: string) => `
version: 1
name: events
connectors: { source: {type: csv}, target: {type: ${type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {file: events.csv} }
  - { id: times, kind: transform, input: read, ops: [{cast: {at: timestamp, seen: timestamp}}] }
  - { id: write, kind: load, input: times, connector: target, object: events, mode: append }
`;
const FILES = {
  'events.csv': `id,at,seen
1,2024-02-29T23:59:59.123456789Z,2024-02-29T23:59:59.123456000Z
2,2024-02-29T23:59:59.1234567+02:00,2024-02-29T23:59:59Z
3,,2024-02-29T23:59:59.5Z
`,
};

onEachDatabase(t, FILES, async (t, { connector }, folder) => {
  const source = { type: 'csv', config: { path: '.' } };
  const { status, keeper } = await runYaml({
    folder,
    yaml: YAML(connector.type),
    connectors: { source, target: connector },
  });
  t.equal(status, 'success');
  const said = keeper.logs.filter(({ level }) => level === 'warn').map(({ message }) => message);
  const expected =
    connector.type === 'sqlite'
      ? []
      : ['"events" keeps 6 digits of a second, fewer than times came with: "at" (2)'];
  t.strictSame(said, expected, 'a load says where it lost digits of times, and only there');
});
