/** `node run-task-main.ts FILE`: runs the task of a JSON file `{folder, yaml, connectors}`, once it has said so. */
import { readFileSync } from 'node:fs';
import { runYaml, type TaskRun } from '../engine/support/task-run.ts';

const [file = ''] = process.argv.slice(2);
const run = JSON.parse(readFileSync(file, 'utf8')) as TaskRun;
console.log('starting');
const { status } = await runYaml(run);
console.log(status);
