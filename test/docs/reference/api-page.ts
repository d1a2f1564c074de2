import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, pageHead, sentence, table } from './markdown.ts';

const root = join(import.meta.dirname, '../../..');

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const INTRO = `Every operation of the REST API. A server has the same with all bodies, answers and examples at \`/api/docs\`, and as an OpenAPI 3.1 document at \`/api/openapi.json\`. What holds for all of them (signing in, pages, errors, ETags, idempotency keys) is in the guide: [the REST API](../api.md).

"Who" is the lowest role that may call it; an API key needs the scope as well.`;

/** From the checked-in OpenAPI document, and from the table of permissions, which a test compares with the routes. */
export function apiPage(): string {
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as Document;
  const permissions = permissionsOf(readFileSync(join(root, 'test/operations.md'), 'utf8'));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      at: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const sections = document.tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ at, operation }) => [
        code(at),
        sentence(operation.summary),
        ...(permissions.get(at) ?? ['–', '–']),
      ]);
    return `\n## ${name}\n\n${sentence(description)}\n${table(['operation', 'does', 'who', 'scope'], rows)}`;
  });
  return pageHead('API operations', INTRO) + sections.join('');
}

/** Operation to who may call it and the scope that an API key needs. */
function permissionsOf(operations: string): ReadonlyMap<string, readonly string[]> {
  const rows = operations.matchAll(/^\| \w+ \| `([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm);
  return new Map([...rows].map(([, at = '', who = '', scope = '']) => [at, [who, scope]]));
}
