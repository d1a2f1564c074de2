import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { isKnown } from '../../src/http/etag.ts';

t.test('an answer is known by its ETag, which a proxy may have weakened', async (t) => {
  const known = (header: string | undefined) =>
    isKnown({ headers: { 'if-none-match': header } } as unknown as FastifyRequest, '"7"');
  for (const header of ['"7"', 'W/"7"', '"1", W/"7"']) t.equal(known(header), true, header);
  for (const header of [undefined, '', '"8"', '7', 'W/"77"']) t.equal(known(header), false, String(header));
});
