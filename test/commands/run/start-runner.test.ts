import t from 'tap';
import { startRunner, typeNamedBy } from '../../../src/commands/run/start-runner.ts';

t.test('the command line says which connectors a runner loads ahead of its run', async (t) => {
  const types = {
    'people=csv:people.csv': 'csv',
    'out=sqlite:{path: out.db}': 'sqlite',
    'source=dummy': '',
    'shop=postgres://u:p@h/shop': 'postgres',
    'shop=postgresql://u:p@h/shop': 'postgres',
    'shop=@shop.yaml': '',
    shop: '',
  };
  for (const [connector, type] of Object.entries(types)) t.equal(typeNamedBy(connector), type, connector);
  // What it does not know is left to the run, which says so.
  const runner = startRunner(['a=nothing:x', 'b=csv:x']);
  runner.kill();
  await runner.gone;
});

t.test(
  'what a runner prepares is refused in words, and never waited for when its process has ended',
  async (t) => {
    const runner = startRunner([]);
    const request = { arg: [], connectors: { file: null, given: [] }, config: null, task: [] };
    t.match(await runner.prepare({ ...request, file: 'none.yaml' }), {
      kind: 'refused',
      message: /"none.yaml" does not exist/,
    });
    // The other way round, a quick process may have answered.
    runner.kill();
    await t.rejects(runner.prepare({ ...request, file: 'none.yaml' }), /The process ended/);
    await runner.gone;
    await t.rejects(runner.prepare({ ...request, file: 'none.yaml' }), /The process ended/);
  },
);
