/**
 * New tasks over HTTP, each stored with its version and its audit row in one durable transaction. `api-write-audit`: each has a text
 * of its own, which the worker host validates; `api-write-audit-known`: all have one text, which was validated before;
 * `api-write-audit-cpu`: processor time of one with a text of its own, which other work on the machine hardly changes. Limit: a bare
 * Fastify route with one SQLite select of a record. `api-write-parse`: how many such texts one thread validates, and how many the
 * YAML library alone parses there, without positions, limits or the language.
 */
import { parse } from 'yaml';
import { loadConnectorTypes } from '../src/drivers/registry.ts';
import { parseTask } from '../src/language/task/parse-task.ts';
import { keptExpressions } from '../src/language/yaml/kept-expressions.ts';
import { TASK_YAML } from '../src/modules/definitions/yaml-examples.ts';
import { startApiFigures } from './support/api-figures.ts';
import { measure, secondsOf } from './support/figure.ts';

const ownText = TASK_YAML.replace("'cancelled'", "'cancelled {n}'");
const texts = 3_000;
let made = 0;

/** Texts a second, none of them seen before. */
async function textsPerSecond(read: (text: string) => unknown): Promise<number> {
  const own = Array.from({ length: texts }, () => ownText.replace('{n}', String(made++)));
  const seconds = await secondsOf(() => {
    for (const text of own) read(text);
  });
  return texts / seconds;
}

// As in a thread of the worker host, whose environment is a plain object: the library looks into it at each token.
const environment = process.env;
process.env = {};
const options = { connectorTypes: await loadConnectorTypes(), parseExpression: keptExpressions() };
await measure({
  name: 'api-write-parse',
  unit: 'texts/s',
  product: () => textsPerSecond((text) => parseTask(text, options)),
  limit: () => textsPerSecond((text) => parse(text)),
});
process.env = environment;

const figures = await startApiFigures();

const writesOf = (name: string, text: string) =>
  ({
    method: 'POST',
    paths: ['/api/tasks'],
    body: JSON.stringify({ name: `${name} {n}`, yaml_content: text }),
    requests: 2_000,
    status: 201,
  }) as const;

try {
  await figures.measure('api-write-audit', writesOf('own', ownText));
  await figures.measureCpu('api-write-audit-cpu', writesOf('cpu', ownText));
  await figures.measure('api-write-audit-known', writesOf('known', TASK_YAML));
} finally {
  await figures.stop();
}
