import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import t from 'tap';
import { ofFullList } from './support/fault-list.ts';

const TEXT = readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8');

/** The linter's recommended rules, whole: none is switched off. */
async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

t.test('a linter finds nothing in the OpenAPI document', async (t) => {
  t.same(await lint(TEXT), []);
});

t.test(
  'it would find an operation without an id and a body that its schema refuses',
  ofFullList,
  async (t) => {
    const document = JSON.parse(TEXT) as {
      paths: Record<string, Record<string, Record<string, unknown> & { requestBody?: unknown }>>;
    };
    const keys = document.paths['/api/api-keys'];
    delete keys?.['get']?.['operationId'];
    const body = keys?.['post']?.requestBody as { content: Record<string, { example: unknown }> };
    Object.assign(body.content['application/json'] ?? {}, { example: { name: 7 } });
    const found = (await lint(JSON.stringify(document))).join('\n');
    t.match(found, /operation-?[iI]d|operationId/);
    t.match(found, /example/);
  },
);
