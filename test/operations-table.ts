import type { Access } from '../src/http/access.ts';
import { type OpenapiDocument, openapiPathOf } from './support/openapi-check.ts';
import type { RouteEntry } from './support/watched-http.ts';

/** Test files by operation, as in `GET /api/tasks/{id}`; their paths are those below `test/`. */
export type TestedBy = ReadonlyMap<string, ReadonlySet<string>>;

const FILES_MAX = 3;

/** Tests that ask every route alike say nothing about one of them. */
const SWEEPS = /^(http|support)\/|^openapi|^operations/;

const HEAD = `# Operations

Made by \`node test/openapi-generate.ts\`, and compared with the routes by a test. "Tested by" is recorded, not derived: up to three
test files that got the operation to succeed. Tests that ask all routes alike do not count. To record:

\`\`\`sh
HEADGATE_TEST_ROUTES=/tmp/routes.txt npm test -- test/modules/tasks
HEADGATE_TEST_ROUTES=/tmp/routes.txt node test/openapi-generate.ts
\`\`\`

What was recorded before stays while its file is there; delete this file first to record all anew.

| operation | method and path | who | scope of an API key | \`Idempotency-Key\` | \`If-Match\` | tested by |
|---|---|---|---|---|---|---|
`;

/** The table of all operations, in the order of the document. */
export function operationsTable(
  document: OpenapiDocument,
  routes: readonly RouteEntry[],
  testedBy: TestedBy,
): string {
  const accesses = new Map(
    routes.map(({ method, url, access }) => [`${method} ${openapiPathOf(url)}`, access]),
  );
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [] }]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const access = accesses.get(at);
      const takes = (name: string) => (parameters.some((one) => one.name === name) ? 'yes' : '–');
      const files = [...(testedBy.get(at) ?? [])].filter((file) => !SWEEPS.test(file)).sort();
      const tests = files.slice(0, FILES_MAX).map((file) => `\`${file}\``);
      return `| ${[
        operationId,
        `\`${at}\``,
        access === undefined ? '–' : whoOf(access),
        access !== undefined && 'scope' in access ? `\`${access.scope}\`` : '–',
        takes('Idempotency-Key'),
        takes('If-Match'),
        tests.join(', ') || '–',
      ].join(' | ')} |\n`;
    }),
  );
  return HEAD + rows.join('');
}

function whoOf(access: Access): string {
  switch (access.kind) {
    case 'none':
      return 'anybody';
    case 'pending':
      return 'who signs in';
    case 'account':
      return 'signed-in user';
    case 'self':
      return 'signed-in user or API key';
    case 'member':
      return access.role;
    case 'local':
      return `${access.role}, or this machine`;
    case 'executor':
      return 'executor key';
    case 'share':
      return 'share link';
    default:
      return access satisfies never;
  }
}

/** The column "tested by" of a table. */
export function testedByOf(table: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, at = '', cell = ''] of table.matchAll(/^\| \w+ \| `([^`]+)` \|.*\| ([^|]*) \|$/gm))
    found.set(at, new Set([...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)));
  return found;
}

/** Adds the lines that `recordRoutes` wrote. */
export function addRecorded(testedBy: Map<string, Set<string>>, lines: string): void {
  for (const line of lines.split('\n')) {
    const [operation = '', file = ''] = line.split('\t');
    if (!file.startsWith('test/')) continue;
    const at = openapiPathOf(operation);
    testedBy.set(at, (testedBy.get(at) ?? new Set()).add(file.slice('test/'.length)));
  }
}
