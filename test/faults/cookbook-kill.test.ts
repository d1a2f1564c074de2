import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { playRecipe, RECIPES } from '../docs/cookbook-recipes.ts';
import { fewOrAll, ofFullList } from '../support/fault-list.ts';
import { MAIN } from '../support/program.ts';
import { programEnvironment } from '../support/program-environment.ts';
import { seeded } from '../support/seed.ts';

/* Each command of the cookbook is killed at random moments, and run again until it ends: what its page shows is there all the same. */

const KILLS = fewOrAll(1, 2);
/** A run that has left rows out ends with 3. */
const ENDED = [0, 3];
/** Within which the first kill of a command comes; the next ones come within the time that it took to end, where it did. */
const FIRST_MS = 1_500;

t.setTimeout(600_000);

function start(args: readonly string[], cwd: string) {
  return spawn(process.execPath, [MAIN, ...args], { cwd, env: programEnvironment(), stdio: 'ignore' });
}

async function endOf(child: ReturnType<typeof start>): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

let killed = 0;

for (const title of RECIPES)
  t.test(`${title}: killed and run again, with nothing lost and nothing twice`, ofFullList, async (t) => {
    const { random } = seeded(t);
    const folder = t.testdir({});
    const results = await playRecipe(title, folder, async (args) => {
      let longMs = FIRST_MS;
      for (let kill = 0; kill < KILLS; kill++) {
        const from = performance.now();
        const child = start(args, folder);
        const end = endOf(child);
        const moment = delay(random() * longMs).then(() => child.kill('SIGKILL'));
        if ((await end) === null) killed += 1;
        else longMs = performance.now() - from;
        await moment;
      }
      const code = await endOf(start(args, folder));
      t.ok(ENDED.includes(code ?? -1), `${args.join(' ')}: ${code}`);
    });
    for (const { sql, shown, found } of results) t.equal(found, shown, sql);
  });

t.test('some of them were killed before they had ended', ofFullList, async (t) => {
  t.ok(killed > 0, `${killed} killed`);
});
