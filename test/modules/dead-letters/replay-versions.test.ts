import t from 'tap';
import type { OpenLetter } from '../../../src/modules/dead-letters/dead-letter-replay-store.ts';
import { replayGroups } from '../../../src/modules/dead-letters/replay-groups.ts';
import { eachStore } from '../../support/stores.ts';
import { newExecutor, openPlane, startedRun } from '../runs/plane.ts';

await eachStore(
  t,
  'rows of a task that another one runs go to the version that refused them',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane, { features: ['run_task', 'replay'] });
    const letters: OpenLetter[] = [];
    for (const task_version of [1, 2, 1]) {
      const yaml_content = `name: child\ndescription: version ${task_version}`;
      const tasks = [{ name: 'child', task_id: 5, task_version, yaml_content }];
      const { run_id } = await startedRun(plane, executor, { yaml_content: 'steps: []', tasks });
      const id = letters.length + 1;
      letters.push({ id, run_id, step_id: 'sub/fit', chars: 2, cut: 0, masked: 0, malformed: 0 });
    }
    const groups = await replayGroups({ db: store.read, taskNow: async () => null }, letters, 'snapshot');
    t.strictSame(
      groups.map((group) => [group.letters.map(({ id }) => id), group.run.tasks?.[0]?.task_version]),
      [
        [[1, 3], 1],
        [[2], 2],
      ],
    );
  },
);
