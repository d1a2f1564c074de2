/** One link of the header: its target, then its parameters. Source: RFC 8288, 3. */
const LINK = /<([^>]*)>((?:\s*;\s*[\w!#$&+\-.^`|~*]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^",;\s]+))?)*)/g;
const REL = /;\s*rel\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^",;\s]+))/i;

/** The target of the first link with a relation; null where there is none. A link may have several, with spaces between. */
export function linkOf(header: string, rel: string): string | null {
  for (const [, target = '', params = ''] of header.matchAll(LINK)) {
    const [, quoted, bare] = REL.exec(params) ?? [];
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
    if (relations.includes(rel.toLowerCase())) return target;
  }
  return null;
}
