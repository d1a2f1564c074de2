import fc from 'fast-check';
import t from 'tap';
import { createCipher } from '../../../src/base/cipher.ts';
import {
  maskedConfig,
  openConfig,
  SECRET_MASK,
  sealConfig,
} from '../../../src/modules/definitions/sealed-config.ts';

const cipher = createCipher(['b2d1c7e0a94f4a6f8d3e5b7c9a1f2e3d']);
const secretKeys = ['password', 'token'];

t.test('any configuration opens as it was sealed, and its columns hold no secret', async (t) => {
  const secret = fc.string({ minLength: 8, maxLength: 60, unit: 'binary' });
  const config = fc.record(
    {
      host: fc.string(),
      nested: fc.jsonValue(),
      password: secret,
      token: fc.record({ value: secret }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(config, fc.nat(), (given, id) => {
      const sealed = sealConfig(cipher, `connector/${id}`, secretKeys, given);
      t.equal(
        JSON.stringify(sorted(openConfig(cipher, `connector/${id}`, sealed))),
        JSON.stringify(sorted(given)),
      );
      const open = JSON.parse(sealed.config_json) as Record<string, unknown>;
      t.notOk('password' in open);
      const token = given.token && (given.token.value === undefined ? {} : { value: SECRET_MASK });
      t.same(open['token'], token, 'names alone');
      t.same(maskedConfig(sealed)['token'], token);
      const plain = [given.password, given.token?.value].filter((text) => text !== undefined);
      for (const text of plain) t.notOk(sealed.secrets_json.includes(JSON.stringify(text).slice(1, -1)));
    }),
    { numRuns: 200 },
  );
});

/** JSON's own view of a value (`-0` is 0), with the top-level keys in order. */
function sorted(config: object): unknown {
  return Object.entries(JSON.parse(JSON.stringify(config)) as object).sort(([a], [b]) => (a < b ? -1 : 1));
}
