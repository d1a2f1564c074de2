import t from 'tap';
import { createPasswordStrength } from '../../../src/modules/auth/password-strength.ts';
import { openTestStore } from '../../support/stores.ts';
import { PASSWORD, Visitor } from '../../support/visitor.ts';
import { createAuthApp } from './auth-app.ts';

const TOO_EASY = [{ path: 'password', message: /"password" is too easy to guess/ }];

t.test('a password that is guessed soon is refused, whatever it is made of', async (t) => {
  const requireStrength = createPasswordStrength();
  const about = ['ada.lovelace@example.com', 'Ada King'];
  for (const password of [
    'password1234',
    ' '.repeat(12),
    'ada.lovelace@example.com',
    'Ada.Lovelace@Example.com',
    'lovelace1234',
    'headgate1234',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'correctcorrectcorrect',
    '123456789012',
    'qwertyuiopas',
    'letmeinletmein',
    'Passw0rd!Passw0rd!',
    '0123456789abcdef0123456789abcdef',
    'x'.repeat(200),
  ])
    await t.rejects(
      requireStrength(password, { about }),
      { code: 'VALIDATION_ERROR', details: TOO_EASY },
      password,
    );
  for (const password of [
    PASSWORD,
    'correct horse battery staple',
    '9f4c1e7ab03d58e2',
    'Gx7#pLm2!qRt',
    'ein langer Satz mit Umlauten: äöü',
  ])
    await t.resolves(requireStrength(password, { about }), password);
});

t.test('the longest password takes as long as one of 64 characters', async (t) => {
  const requireStrength = createPasswordStrength();
  await requireStrength(PASSWORD, {});
  const msOf = async (text: string) => {
    const startedAt = performance.now();
    await requireStrength(text, {}).catch(() => undefined);
    return performance.now() - startedAt;
  };
  const worst = 'p4ssw0rd4@8({[</369#1!'.repeat(10);
  await msOf(worst.slice(0, 64));
  const short = await msOf(worst.slice(0, 64));
  t.ok((await msOf(worst.slice(0, 200))) < short * 4 + 20);
});

t.test('every way to set a password asks for a good one, and says which key is wrong', async (t) => {
  const app = await createAuthApp(t, await openTestStore(t, 'sqlite'));
  const stranger = new Visitor(app.http, {});
  const first = {
    token: app.setupToken,
    email: 'root@example.com',
    name: 'Root',
    password: 'root@example.com',
  };
  t.match(await stranger.post('/api/auth/setup', first), { status: 400, body: { details: TOO_EASY } });
  const { visitor } = await app.superadmin();
  const user = { email: 'augusta@example.com', name: 'Byron Noel', role: 'viewer' };
  for (const password of ['augusta@example.com', 'byronbyronbyron', 'password1234'])
    t.match(await visitor.post('/api/users', { ...user, password }), {
      status: 400,
      body: { details: TOO_EASY },
    });
  t.equal((await visitor.post('/api/users', { ...user, password: PASSWORD })).status, 201);
});
