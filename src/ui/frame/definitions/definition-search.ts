/** Which definitions are listed, as the address says it. */
export interface DefinitionSearch {
  readonly q?: string;
  readonly archived?: true;
}

export function definitionSearch({ q, archived }: Readonly<Record<string, unknown>>): DefinitionSearch {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return { ...(text !== '' && { q: text }), ...(archived === true && { archived }) };
}
