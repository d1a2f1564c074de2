/** An address of this page, or null for any other: what a link says is not to be trusted. */
export function innerPath(next: unknown): string | null {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : null;
}
