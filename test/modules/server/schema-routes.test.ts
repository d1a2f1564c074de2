import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { SCHEMA_NAMES } from '../../../src/language/published-schemas.ts';
import { registerSchemaRoutes } from '../../../src/modules/server/schema-routes.ts';
import { createTestApp } from '../../support/app.ts';

t.test(
  'anybody gets the schemas of the YAML documents, and asks cheaply whether they are the same',
  async (t) => {
    const { anonymous } = await createTestApp(t, registerSchemaRoutes);
    const etags = new Set<string>();
    for (const name of SCHEMA_NAMES) {
      const path = `/api/schemas/${name}`;
      const answer = await anonymous.get(path);
      t.match(answer, {
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'public, max-age=3600',
          etag: /^"[0-9a-f]{32}"$/,
        },
        body: { $id: `urn:headgate:schema:${name}:1` },
      });
      t.doesNotThrow(() => new Ajv2020({ strict: false }).compile(answer.body));
      const etag = answer.headers['etag'] ?? '';
      etags.add(etag);
      t.match(await anonymous.get(path, { 'if-none-match': etag }), {
        status: 304,
        text: '',
        headers: { etag },
      });
      t.match(await anonymous.get(path, { 'if-none-match': `W/${etag}, "x"` }), { status: 304 });
      t.equal((await anonymous.get(path, { 'if-none-match': '"other"' })).status, 200);
    }
    t.equal(etags.size, SCHEMA_NAMES.length);
    const unknown = { status: 404, body: { error: 'NOT_FOUND', message: 'There is no schema "runs"' } };
    t.match(await anonymous.get('/api/schemas/runs'), unknown);
  },
);
