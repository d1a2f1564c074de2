import t from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { previewTask } from '../../../src/engine/preview/preview-task.ts';
import { exampleOf } from '../../../src/engine/preview/record-example.ts';
import { testTask } from '../../../src/engine/preview/test-task.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { contextOf, inputOf } from '../support/task-run.ts';
import { peopleIn, yamlOf } from './lookup-scene.ts';

const LOOKUP = {
  connector: 'people',
  method: 'list',
  args: { table: 'people' },
  on: { who: 'id' },
  fields: { who_name: 'name' },
};

t.test('a preview looks up, and what it records is an example that holds', async (t) => {
  const folder = t.testdir();
  peopleIn(folder, [[1, 'eu', 'Ada']]);
  const yaml = yamlOf({ lookup: LOOKUP });
  const sqlite = (path: string) => ({ type: 'sqlite', config: { path: `${folder}/${path}` } });
  const connectors = {
    source: { type: 'dummy', config: { rows: [{ who: 1 }, { who: 2 }] } },
    people: sqlite('people.db'),
    target: sqlite('out.db'),
  };
  const given = { folder, yaml, connectors };
  const outcome = await previewTask(inputOf(given), contextOf(given), { rowsMax: 10 });
  const made = [
    { who: 1, who_name: 'Ada' },
    { who: 2, who_name: null },
  ];
  t.strictSame(outcome.steps.find(({ step_id }) => step_id === 'shape')?.rows, made);
  const example = exampleOf(outcome, { name: 'two', args: {}, jobConfig: {} });
  t.strictSame(example, {
    name: 'two',
    input: { read: [{ who: 1 }, { who: 2 }], shape: [{ name: 'Ada', id: 1 }] },
    expect: { shape: made },
  });
  const parsed = parseTask(JSON.stringify({ ...JSON.parse(yaml), tests: [example] }));
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  const [test] = parsed.task.tests;
  if (test === undefined) throw new Error('no test');
  const signal = new AbortController().signal;
  t.match(await testTask(parsed.task, test, { drivers: allDrivers, clock: systemClock, signal }), {
    holds: true,
  });
  const without = { ...test, input: { read: test.input['read'] ?? [] } };
  const other = await testTask(parsed.task, without, { drivers: allDrivers, clock: systemClock, signal });
  t.equal(other.holds, false, 'no connector is asked');
});
