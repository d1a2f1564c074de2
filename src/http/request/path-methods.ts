/**
 * The methods that each path has, for `Allow`: the router finds a route by path and method at once, and says nothing of the
 * other methods.
 */
export class PathMethods {
  /** Paths without parameters. */
  readonly #exact = new Map<string, Set<string>>();
  /** Paths with parameters, by their number of segments. */
  readonly #patterns = new Map<number, Map<string, Set<string>>>();

  /** `pattern` as the router takes it. One that ends in a wildcard is left out: it serves files, not records. */
  add(pattern: string, methods: readonly string[]): void {
    if (pattern.endsWith('*')) return;
    const segments = pattern.split('/').length;
    const alike = this.#patterns.get(segments) ?? new Map<string, Set<string>>();
    this.#patterns.set(segments, alike);
    const place = pattern.includes('/:') ? alike : this.#exact;
    const known = place.get(pattern) ?? new Set<string>();
    place.set(pattern, known);
    for (const method of methods) known.add(method);
  }

  /** Those of a path that has a route of its own, whatever pattern fits it too; undefined where it has none. */
  exactly(path: string): ReadonlySet<string> | undefined {
    return this.#exact.get(path);
  }

  /** Empty for an unknown path. */
  of(path: string): ReadonlySet<string> {
    const asked = path.split('/');
    const fits = (segment: string, index: number) =>
      segment === asked[index] || (segment.startsWith(':') && asked[index] !== '');
    const found = [...(this.#patterns.get(asked.length) ?? [])].filter(([pattern]) =>
      pattern.split('/').every(fits),
    );
    return this.exactly(path) ?? new Set(found.flatMap(([, methods]) => [...methods]));
  }
}
