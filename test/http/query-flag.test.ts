import t from 'tap';
import { startFullApp } from '../support/full-app.ts';
import type { OpenapiOperation } from '../support/openapi-check.ts';

const NAMES = ['enabled', 'dry_run'];
const REFUSED = ['1', '0', 'TRUE', 'yes', '', 'true%20', 'true&NAME=false'];

interface Refusal {
  readonly error?: string;
  readonly details?: readonly { readonly path: string }[];
}

t.test('a flag of a query is a boolean of the document, and takes "true" and "false" alone', async (t) => {
  const full = await startFullApp(t);
  const { visitor } = await full.superadmin();
  const flags = Object.entries(full.document().paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [] }]: [string, OpenapiOperation]) =>
      parameters
        .filter(({ in: place, name }) => place === 'query' && NAMES.includes(name))
        .map(({ name, schema }) => ({ method, path, name, schema })),
    ),
  );
  t.same(flags.map(({ path }) => path).sort(), [
    '/api/ai/references',
    '/api/import',
    '/api/notifications/channels',
    '/api/triggers',
    '/api/webhooks',
  ]);
  for (const { method, path, name, schema } of flags) {
    t.same(schema, { type: 'boolean' }, path);
    const ask = (text: string): Promise<{ status: number; body: Refusal }> => {
      const url = `${path}?${name}=${text}`;
      return method === 'get' ? visitor.get<Refusal>(url) : visitor.post<Refusal>(url, { bundle: 'x' });
    };
    const pathsOf = (body: Refusal) => body.details?.map((problem) => problem.path) ?? [];
    for (const text of ['true', 'false']) {
      const { status, body } = await ask(text);
      t.equal(status, method === 'get' ? 200 : 400, `${path} ${text}: the body of the import is no bundle`);
      t.notOk(pathsOf(body).includes(name), `${path} ${text}`);
    }
    for (const text of REFUSED.map((one) => one.replace('NAME', name))) {
      const { status, body } = await ask(text);
      t.match({ status, error: body.error }, { status: 400, error: 'VALIDATION_ERROR' }, `${path} ${text}`);
      t.same(pathsOf(body), [name], `${path} ${text}`);
    }
  }
  t.same(full.openapi.breaches, []);
});
