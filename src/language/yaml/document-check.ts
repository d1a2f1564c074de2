import type { Problem } from '../../base/errors.ts';
import { loadYaml, type Position, type YamlDocument } from './load-yaml.ts';
import type { YamlLimits } from './yaml-guard.ts';
import { formatPath, type Path } from './yaml-path.ts';

/** At most this many problems of one document are kept; the rest are only counted. */
const PROBLEMS_MAX = 200;

export interface DocumentCheckOptions {
  /**
   * True for a text in place of a value which is not known yet (`${VAR}` of a dashboard): checks of type and form pass over it.
   * Default: no text does.
   */
  readonly isPlaceholder?: (text: string) => boolean;
  /**
   * Called with a number or a flag in place of a text; true where it is one only because a variable was put in, and so is a
   * text there. Default: none is.
   */
  readonly isText?: (path: Path) => boolean;
}

/** What one place of a document declares and others name. */
export type DeclaredKind = 'connectors' | 'scope' | 'shared_queries';

/** Gathers every problem of one document, each with its path, line and column, and the names that it declares. */
export class DocumentCheck {
  readonly #found: Problem[] = [];
  readonly #positionOf: (path: Path, part?: 'key' | 'value') => Position;
  readonly #isPlaceholder: (text: string) => boolean;
  readonly isText: (path: Path) => boolean;
  readonly #declared = new Map<DeclaredKind, readonly string[]>();
  #count = 0;

  constructor(document: Pick<YamlDocument, 'positionOf'>, options: DocumentCheckOptions = {}) {
    this.#positionOf = document.positionOf;
    this.#isPlaceholder = options.isPlaceholder ?? (() => false);
    this.isText = options.isText ?? (() => false);
  }

  /** `part` is `key` where the key itself is wrong, not its value. */
  add(path: Path, message: string, part: 'key' | 'value' = 'value'): void {
    this.#count += 1;
    if (this.#count <= PROBLEMS_MAX) {
      this.#found.push({ path: formatPath(path), message, ...this.#positionOf(path, part) });
    }
  }

  /** In the order of the text. */
  get problems(): readonly Problem[] {
    const sorted = this.#found.toSorted(
      (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    );
    const more = this.#count - sorted.length;
    if (more > 0) sorted.push({ path: '', message: `There are ${more} more problems; solve these first` });
    return sorted;
  }

  get failed(): boolean {
    return this.#count > 0;
  }

  declare(kind: DeclaredKind, names: readonly string[]): void {
    this.#declared.set(kind, names);
  }

  /** Null where what is read is not the whole document, so that any name may be right. */
  declared(kind: DeclaredKind): readonly string[] | null {
    return this.#declared.get(kind) ?? null;
  }

  isPlaceholder(value: unknown): boolean {
    return typeof value === 'string' && this.#isPlaceholder(value);
  }
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Loads a text and reads it with `read`; ok only where neither found a problem. */
export function parseDocument<T>(
  text: string,
  read: (check: DocumentCheck, value: unknown) => T | null,
  limits: Partial<YamlLimits> = {},
): Parsed<T> {
  const loaded = loadYaml(text, limits);
  if (!loaded.ok) return loaded;
  const check = new DocumentCheck(loaded.document);
  const value = read(check, loaded.document.value);
  return value === null || check.failed ? { ok: false, problems: check.problems } : { ok: true, value };
}
