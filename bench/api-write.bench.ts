/**
 * New tasks over HTTP, each validated in the worker host and stored with its version and its audit row in one durable transaction;
 * limit: a bare Fastify route with one SQLite select of a record.
 */
import { TASK_YAML } from '../src/modules/definitions/yaml-examples.ts';
import { startApiFigures } from './support/api-figures.ts';

const figures = await startApiFigures();
const body = JSON.stringify({ name: 'written {n}', yaml_content: TASK_YAML });

try {
  await figures.measure('api-write-audit', {
    method: 'POST',
    paths: ['/api/tasks'],
    body,
    requests: 2_000,
    status: 201,
  });
} finally {
  await figures.stop();
}
