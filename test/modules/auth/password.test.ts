import t from 'tap';
import { createPasswords } from '../../../src/modules/auth/password.ts';
import { PASSWORD } from '../../support/visitor.ts';

t.test('two passwords are hashed at a time, few wait, and every place is given back', async (t) => {
  const stored = await createPasswords().hash(PASSWORD);
  for (const [waitingMax, carriedOut] of [
    [0, 2],
    [3, 5],
  ] as const) {
    const passwords = createPasswords({ waitingMax });
    for (let round = 0; round < 3; round += 1) {
      const all = Array.from({ length: 7 }, (_, n) =>
        passwords.verify(stored, n % 2 === 0 ? PASSWORD : 'wrong'),
      );
      const results = await Promise.allSettled(all);
      t.same(
        results.slice(0, carriedOut),
        results.slice(0, carriedOut).map((_, n) => ({ status: 'fulfilled', value: n % 2 === 0 })),
      );
      for (const refused of results.slice(carriedOut))
        t.match(refused, { status: 'rejected', reason: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } });
    }
  }
});

t.test('a hash costs what OWASP asks for, unless less is asked for', async (t) => {
  t.match(await createPasswords().hash(PASSWORD), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  t.match(await createPasswords({ memoryKib: 64 }).hash(PASSWORD), /^\$argon2id\$v=19\$m=64,t=2,p=1\$/);
});

t.test('nobody has the password of nobody', async (t) => {
  const passwords = createPasswords();
  for (const password of ['nobody has this password', '', PASSWORD])
    t.equal(await passwords.verify(null, password), false);
});
