import { appendFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/**
 * Where `HEADGATE_TEST_ROUTES` names a file: appends a line to it for every operation of this server that answered with success,
 * with the test file that asked. `test/openapi-generate.ts` makes the column "tested by" of `test/operations.md` of it.
 */
export function recordRoutes(http: FastifyInstance): void {
  const file = process.env['HEADGATE_TEST_ROUTES'];
  const test = process.env['HEADGATE_TEST_FILE'];
  if (file === undefined || test === undefined) return;
  const seen = new Set<string>();
  http.addHook('onResponse', async (request, reply) => {
    const operation = `${request.method} ${request.routeOptions.url}`;
    if (reply.statusCode >= 400 || seen.has(operation)) return;
    seen.add(operation);
    appendFileSync(file, `${operation}\t${test}\n`);
  });
}
