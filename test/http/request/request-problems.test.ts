import t from 'tap';
import { z } from 'zod';
import { anybody } from '../../../src/http/access.ts';
import { idParams, operation } from '../../../src/http/operation.ts';
import { createTestApp } from '../../support/app.ts';

const query = z.strictObject({ limit: z.coerce.number().int().min(1).max(200).optional() });
const body = z.strictObject({
  password: z.string().min(12),
  role: z.enum(['viewer', 'editor']),
  expires_at: z.iso.datetime().optional(),
  url: z.url().optional(),
});

t.test('a refusal names what was passed, unless it may be a secret', async (t) => {
  const { anonymous } = await createTestApp(t, (app) => {
    const spec = { tag: 'Health', access: anybody, answers: { 200: z.strictObject({}) } } as const;
    const get = { id: 'probeGet', summary: 'Takes a number', params: idParams, query, ...spec };
    const post = { id: 'probePost', summary: 'Takes a body', body, ...spec };
    app.get('/probe/:id', operation(get), async () => ({}));
    app.post('/probe', operation(post), async () => ({}));
  });
  const message = async (sent: Promise<{ body: { message?: unknown } }>) => (await sent).body.message;
  const post = (sent: object) =>
    message(anonymous.post('/probe', { password: 'a long password', role: 'viewer', ...sent }));

  t.equal(await message(anonymous.get('/probe/abc')), '"id" must be a number, not "abc"');
  t.equal(await message(anonymous.get('/probe/1?limit=x')), '"limit" must be a number, not "x"');
  t.equal(await message(anonymous.get('/probe/1?limit=0')), '"limit" must be at least 1, not "0"');
  t.equal(await post({ role: 'root' }), '"role" must be one of viewer, editor, not "root"');
  t.equal(await post({ role: undefined }), '"role" is required and missing');
  t.equal(
    await post({ expires_at: '01.01.2027' }),
    '"expires_at" must be a time with its zone, such as 2026-01-31T08:00:00Z, not "01.01.2027"',
  );
  t.equal(await post({ url: '//ada:hunter2@db' }), '"url" must be a URL, not a text');
  t.equal(await post({ password: 123_456 }), '"password" must be a text, not a number');
  t.equal(await post({ password: 'hunter2' }), '"password" must have at least 12 characters');
  t.equal(await message(anonymous.post('/probe', [])), 'The body must be a map, not a list');
});

t.test('an item of a text that is read as a list is told as what was sent', async (t) => {
  const listed = z.preprocess(
    (given) => (typeof given === 'string' ? given.split(',') : given),
    z.array(z.enum(['failed', 'late'])),
  );
  const { anonymous } = await createTestApp(t, (app) => {
    const spec = { tag: 'Health', access: anybody, answers: { 200: z.strictObject({}) } } as const;
    const get = { id: 'probeGet', summary: 'Takes a list', query: z.strictObject({ of: listed }), ...spec };
    const items = z.array(z.strictObject({ name: z.string() }));
    const post = {
      id: 'probePost',
      summary: 'Takes lists',
      body: z.strictObject({ of: listed, items }),
      ...spec,
    };
    app.get('/probe', operation(get), async () => ({}));
    app.post('/probe', operation(post), async () => ({}));
  });
  const details = async (sent: Promise<{ body: { details?: unknown } }>) => (await sent).body.details;
  t.same(await details(anonymous.get('/probe?of=late,never')), [
    { path: 'of', message: '"of" must be one of failed, late, not "late,never"' },
  ]);
  t.same(await details(anonymous.post('/probe', { of: 'never', items: [{}, { name: 'a' }] })), [
    { path: 'of', message: '"of" must be one of failed, late, not "never"' },
    { path: 'items.0.name', message: '"items.0.name" is required and missing' },
  ]);
  t.same(await details(anonymous.post('/probe', { of: ['never'], items: [] })), [
    { path: 'of.0', message: '"of.0" must be one of failed, late, not "never"' },
  ]);
});
