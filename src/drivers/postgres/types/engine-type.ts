import type { ClientBase } from 'pg';

/** What a column holds behind its domains. */
export interface EngineType {
  readonly oid: number;
  /** As the catalog keeps it: -1 without one. */
  readonly modifier: number;
  /** Of an array. */
  readonly element: EngineType | null;
  /** Of an enum. */
  readonly members: readonly string[] | null;
}

interface CatalogType {
  readonly oid: number;
  readonly kind: string;
  readonly base: number;
  readonly base_modifier: number;
  readonly element: number;
  readonly members: readonly string[];
}

/** A type as a column declares it. */
export interface DeclaredOid {
  readonly oid: number;
  readonly modifier: number;
}

/** Deepest domain over a domain, or array of an array's domain, that is followed. */
const depthMax = 16;

/** Gives the engine's type of each declared one: of a domain the type below it, of an array that of its elements. */
export async function engineTypes(
  client: ClientBase,
  declared: readonly DeclaredOid[],
): Promise<readonly EngineType[]> {
  const { rows } = await client.query<CatalogType>(
    `WITH RECURSIVE used AS (
       SELECT t.* FROM pg_type t WHERE t.oid = ANY ($1::oid[])
       UNION SELECT t.* FROM used u JOIN pg_type t ON t.oid IN (u.typbasetype, u.typelem))
     SELECT oid, typtype AS kind, typbasetype AS base, typtypmod AS base_modifier,
       CASE WHEN typcategory = 'A' THEN typelem ELSE 0 END AS element,
       ARRAY(SELECT enumlabel::text FROM pg_enum e WHERE e.enumtypid = used.oid ORDER BY e.enumsortorder) AS members
     FROM used`,
    [declared.map(({ oid }) => oid)],
  );
  const known = new Map(rows.map((row) => [row.oid, row]));
  return declared.map((one) => engineType(known, one, depthMax));
}

function engineType(
  known: ReadonlyMap<number, CatalogType>,
  { oid, modifier }: DeclaredOid,
  depth: number,
): EngineType {
  const found = known.get(oid);
  if (found === undefined || depth === 0) return { oid, modifier, element: null, members: null };
  if (found.kind === 'd')
    return engineType(known, { oid: found.base, modifier: found.base_modifier }, depth - 1);
  // The modifier of an array is that of its elements.
  const element = found.element === 0 ? null : engineType(known, { oid: found.element, modifier }, depth - 1);
  return { oid, modifier, element, members: found.kind === 'e' ? found.members : null };
}
