/**
 * New tasks over HTTP, each stored with its version and its audit row in one durable transaction. `api-write-audit`: each has a text
 * of its own, which the worker host validates; `api-write-audit-known`: all have one text, which was validated before. Limit: a bare
 * Fastify route with one SQLite select of a record.
 */
import { TASK_YAML } from '../src/modules/definitions/yaml-examples.ts';
import { startApiFigures } from './support/api-figures.ts';

const figures = await startApiFigures();

try {
  for (const [name, text] of [
    ['api-write-audit', TASK_YAML.replace("'cancelled'", "'cancelled {n}'")],
    ['api-write-audit-known', TASK_YAML],
  ] as const)
    await figures.measure(name, {
      method: 'POST',
      paths: ['/api/tasks'],
      body: JSON.stringify({ name: `${name} {n}`, yaml_content: text }),
      requests: 2_000,
      status: 201,
    });
} finally {
  await figures.stop();
}
