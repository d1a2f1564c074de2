/**
 * `node run-task-main.ts FILE`: runs the task of a JSON file `{folder, yaml, connectors}`, once it has said so, and prints its outcome
 * as JSON. `checkpoints`: a file in which the run's own outlive this process. `tellsLogs`: the messages of its log are printed, too.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createKeeper, type Keeper, runYaml, type TaskRun } from '../engine/support/task-run.ts';

/** A keeper whose checkpoints are in a file, before whoever saves one knows of it. */
function keeperIn(file: string): Keeper {
  const keeper = createKeeper();
  const saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as [string, never][]) : [];
  for (const [name, checkpoint] of saved) keeper.checkpoints.set(name, checkpoint);
  const ports: Keeper['ports'] = {
    ...keeper.ports,
    saveCheckpoint: async (...given) => {
      const answer = await keeper.ports.saveCheckpoint(...given);
      writeFileSync(`${file}.new`, JSON.stringify([...keeper.checkpoints]));
      renameSync(`${file}.new`, file);
      return answer;
    },
  };
  return { ...keeper, ports };
}

const [file = ''] = process.argv.slice(2);

interface Given extends TaskRun {
  readonly checkpoints?: string;
  readonly tellsLogs?: boolean;
}

/** A keeper that prints each message before the run goes on. */
function tellingKeeper(): Keeper {
  const keeper = createKeeper();
  return { ...keeper, ports: { ...keeper.ports, log: (_level, _step, message) => console.log(message) } };
}

const { checkpoints, tellsLogs = false, ...run } = JSON.parse(readFileSync(file, 'utf8')) as Given;
const keeper = tellsLogs ? tellingKeeper() : createKeeper();
console.log('starting');
const { status, rows_in, rows_out } = await runYaml(
  checkpoints === undefined ? { ...run, keeper } : { ...run, keeper: keeperIn(checkpoints) },
);
console.log(JSON.stringify({ status, rows_in, rows_out }));
