import type { FastifyInstance } from 'fastify';

/** What a body that is a bundle itself becomes: the JSON body that says the same. */
export const BUNDLE_TYPES = {
  yaml: ['application/yaml', 'application/x-yaml', 'text/yaml'],
  zip: 'application/zip',
} as const;

/** Takes bundles as bodies in this scope's routes. Call it inside `register`, so that no other route is touched. */
export function readBundleBodies(scope: FastifyInstance): void {
  scope.addContentTypeParser([...BUNDLE_TYPES.yaml], { parseAs: 'string' }, (_request, text, done) =>
    done(null, { bundle: text }),
  );
  scope.addContentTypeParser(BUNDLE_TYPES.zip, { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, { bundle_zip: (bytes as Buffer).toString('base64') }),
  );
}
