/** `node make-environment-main.ts JSON`: makes the environment of a script step, once it has said so, and prints its Python. */
import { pythonOfEnvironment } from '../../src/engine/script/script-environment.ts';

const [json = '{}'] = process.argv.slice(2);
console.log('starting');
console.log(await pythonOfEnvironment({ ...JSON.parse(json), signal: new AbortController().signal }));
