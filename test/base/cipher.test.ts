import fc from 'fast-check';
import t from 'tap';
import { createCipher } from '../../src/base/cipher.ts';

const KEY = 'b2d1c7e0a94f4a6f8d3e5b7c9a1f2e3d';
const OTHER_KEY = '0f9e8d7c6b5a49382716051423324150';
const refused = { code: 'INTERNAL_ERROR', message: /cannot be decrypted/ };

t.test('a sealed text opens with its key in its context, and nothing else opens it', async (t) => {
  const cipher = createCipher([KEY]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (text, context, other) => {
      const sealed = cipher.encrypt(text, context);
      t.equal(cipher.decrypt(sealed, context), text);
      if (other !== context) t.throws(() => cipher.decrypt(sealed, other), refused);
      t.throws(() => createCipher([OTHER_KEY]).decrypt(sealed, context), refused);
    }),
    { numRuns: 50 },
  );
});

t.test('any change of a sealed text is refused', async (t) => {
  const cipher = createCipher([KEY, OTHER_KEY]);
  const sealed = cipher.encrypt('a secret of some length', 'connector/1/password');
  const changes = fc.oneof(
    fc
      .tuple(fc.nat(sealed.length - 1), fc.constantFrom(...'AZaz09-_.=+/ \n'))
      .map(([at, by]) => sealed.slice(0, at) + by + sealed.slice(at + 1)),
    fc.nat(sealed.length - 1).map((length) => sealed.slice(0, length)),
    fc
      .tuple(fc.nat(sealed.length), fc.string({ minLength: 1 }))
      .map(([at, more]) => sealed.slice(0, at) + more + sealed.slice(at)),
    fc.string(),
  );
  fc.assert(
    fc.property(changes, (changed) => {
      fc.pre(changed !== sealed);
      t.throws(() => cipher.decrypt(changed, 'connector/1/password'), refused);
    }),
    { numRuns: 500 },
  );
});

// The tag of an empty text, cut short, is a right tag of that length: only its length gives it away.
t.test('a text cut to a short tag is refused', async (t) => {
  const cipher = createCipher([KEY]);
  const [format, id, wrapped, body = ''] = cipher.encrypt('', 'c').split('.');
  for (const bytes of [0, 11, 12, 16, 20, 24, 25, 26, 27]) {
    const short = Buffer.from(body, 'base64url').subarray(0, bytes).toString('base64url');
    t.throws(() => cipher.decrypt([format, id, wrapped, short].join('.'), 'c'), refused, `${bytes} bytes`);
  }
});

t.test('parts of two sealed texts do not go together', async (t) => {
  const cipher = createCipher([KEY]);
  const [a, b] = [cipher.encrypt('one', 'c').split('.'), cipher.encrypt('two', 'c').split('.')];
  t.throws(() => cipher.decrypt([a[0], a[1], a[2], b[3]].join('.'), 'c'), refused);
  t.not(a[2], b[2], 'each has a data key of its own');
});

t.test('a new master key seals, and the old one still opens', async (t) => {
  const old = createCipher([OTHER_KEY]).encrypt('kept', 'c');
  const rotated = createCipher([KEY, OTHER_KEY]);
  t.equal(rotated.decrypt(old, 'c'), 'kept');
  t.equal(createCipher([KEY]).decrypt(rotated.encrypt('new', 'c'), 'c'), 'new');
  t.throws(() => createCipher([OTHER_KEY]).decrypt(rotated.encrypt('new', 'c'), 'c'), refused);
  t.throws(() => createCipher([]), /at least one/);
  t.throws(() => createCipher(['']), /is empty/);
});

t.test('equal texts are not equal when they are sealed, in none of their parts', async (t) => {
  const cipher = createCipher(['one']);
  const [a, b] = [cipher.encrypt('same', 'here').split('.'), cipher.encrypt('same', 'here').split('.')];
  const ivs = (parts: readonly string[]) =>
    parts.slice(2).map((part) => Buffer.from(part, 'base64url').subarray(0, 12).toString('hex'));
  t.equal(new Set([...ivs(a), ...ivs(b)]).size, 4, 'each part has an initialization vector of its own');
  t.equal(createCipher(['two', 'one']).isCurrent(a.join('.')), false);
  t.equal(cipher.isCurrent(a.join('.')), true);
});
