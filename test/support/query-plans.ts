import { CompiledQuery, createQueryId, type Kysely, type RootOperationNode } from 'kysely';

/** The statements of a read. */
export async function statementsOf<Tables>(
  db: Kysely<Tables>,
  read: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const nodes: RootOperationNode[] = [];
  const watched = db.withPlugin({
    transformQuery({ node }) {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await read(watched);
  return nodes.map((node) => db.getExecutor().compileQuery(node, createQueryId()));
}

/** Tables that these stores have nothing in, so that PostgreSQL reads them as a whole. */
const EMPTY = new Set(['deletions', 'run_texts']);

/** Whether a statement compares columns with values. */
const comparesIn = (text: string) => / = [?$]/.test(text);

/** What is wrong with how SQLite runs it; empty if nothing is. One that is filtered must find its rows by an equality. */
export async function faultsInSqlite<Tables>(
  db: Kysely<Tables>,
  { sql: text, parameters }: CompiledQuery,
  isFiltered = comparesIn(text),
) {
  const explain = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
  const { rows } = await db.executeQuery<{ detail: string }>(explain);
  return rows
    .map(({ detail }) => detail)
    .filter((detail) => /TEMP B-TREE/.test(detail) || (isFiltered && /^SCAN|^SEARCH (?!.*=\?)/.test(detail)));
}

interface PostgresNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PostgresNode[];
}

/** As `faultsInSqlite`. */
export async function faultsInPostgres<Tables>(
  db: Kysely<Tables>,
  { sql: text, parameters }: CompiledQuery,
  isFiltered = comparesIn(text),
) {
  const explain = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]);
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: PostgresNode }[] }>(explain);
  const nodes = (node: PostgresNode): PostgresNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return rows
    .flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodes(Plan)))
    .filter(
      (node) =>
        (/Seq Scan|Sort/.test(node['Node Type']) && !EMPTY.has(node['Relation Name'] ?? '')) ||
        (isFiltered && /Index/.test(node['Node Type']) && !node['Index Cond']?.includes(' = ')),
    )
    .map(
      (node) =>
        `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''} ${node['Index Cond'] ?? ''}`,
    );
}
