/** Which changes are listed, as the address says it. */
export interface AuditSearch {
  readonly action?: string;
  readonly resource_type?: string;
  readonly resource_id?: string;
}

/** Which references are listed, as the address says it. */
export function referenceSearch({ q }: Readonly<Record<string, unknown>>): { readonly q?: string } {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return text === '' ? {} : { q: text };
}

export function auditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const textOf = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const action = textOf(search['action']);
  const resource = textOf(search['resource_type']);
  const id = textOf(search['resource_id']);
  return {
    ...(action !== '' && { action }),
    ...(resource !== '' && { resource_type: resource }),
    ...(id !== '' && { resource_id: id }),
  };
}
