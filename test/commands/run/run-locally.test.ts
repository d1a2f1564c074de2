import t from 'tap';
import { startRunner, typeNamedBy } from '../../../src/commands/run/run-locally.ts';

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
