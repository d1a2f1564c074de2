import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import t from 'tap';

const TEXT = readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8');

/** The recommended rules of two linters, whole: no rule is switched off. */
async function redocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

async function spectral(source: string): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [oas] } as Parameters<typeof linter.setRuleset>[0]);
  const problems = await linter.run(JSON.parse(source) as Record<string, unknown>);
  return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`);
}

for (const [name, lint] of Object.entries({ redocly, spectral })) {
  t.test(`${name} finds nothing in the OpenAPI document`, async (t) => {
    t.same(await lint(TEXT), []);
  });

  t.test(`${name} would find an operation without an id and a body that its schema refuses`, async (t) => {
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
  });
}
