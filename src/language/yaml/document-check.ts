import type { Problem } from '../../base/errors.ts';
import type { ConnectorTypes } from '../connector-types.ts';
import { type ParseExpression, parseExpression } from '../expression/parse-expression.ts';
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
  /**
   * The connectors that the document is held against, which is also looked at more closely: it is being saved, or validated. Without
   * them it is one that was stored before, and so is not refused for what was not looked at then.
   */
  readonly connectorTypes?: ConnectorTypes | undefined;
  /**
   * Whether functions and names in expressions must exist, as they must where there are `connectorTypes`: also in a file that its author
   * runs, whatever its connectors. Default: only with them.
   */
  readonly checksExpressions?: boolean;
  /** Compiles the document's expressions. Default: each anew. */
  readonly parseExpression?: ParseExpression | undefined;
}

/** What one place of a document declares and others name. `job_config.<key>`: the fields of a form. */
export type DeclaredKind =
  | 'args'
  | 'connectors'
  | 'filter'
  | 'job_config'
  | `job_config.${string}`
  | 'scope'
  | 'shared_queries'
  | 'state'
  | 'steps'
  | 'tasks';

/** Names that a document declares, each with its type; null where it has none, or a wrong one. */
export type DeclaredNames = ReadonlyMap<string, string | null>;

/** Gathers every problem of one document, each with its path, line and column, and the names that it declares. */
export class DocumentCheck {
  readonly #found: Problem[] = [];
  readonly #positionOf: (path: Path, part?: 'key' | 'value') => Position;
  readonly #isPlaceholder: (text: string) => boolean;
  readonly isText: (path: Path) => boolean;
  /** Null where a stored document is read. */
  readonly connectorTypes: ConnectorTypes | null;
  readonly checksExpressions: boolean;
  readonly parseExpression: ParseExpression;
  readonly #declared = new Map<string, DeclaredNames>();
  readonly #last: (() => void)[] = [];
  #innerNames: readonly string[] = [];
  #count = 0;

  constructor(document: Pick<YamlDocument, 'positionOf'>, options: DocumentCheckOptions = {}) {
    this.#positionOf = document.positionOf;
    this.#isPlaceholder = options.isPlaceholder ?? (() => false);
    this.isText = options.isText ?? (() => false);
    this.connectorTypes = options.connectorTypes ?? null;
    this.checksExpressions = options.checksExpressions ?? this.connectorTypes !== null;
    this.parseExpression = options.parseExpression ?? parseExpression;
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
    if (more > 0) sorted.push({ path: '', message: `There are ${more} more problems; fix these first` });
    return sorted;
  }

  get failed(): boolean {
    return this.#count > 0;
  }

  declare(kind: DeclaredKind, names: Iterable<readonly [name: string, type: string | null]>): void {
    this.#declared.set(kind, new Map(names));
  }

  /** Null where what is read is not the whole document, so that any name may be right. */
  declared(kind: DeclaredKind): readonly string[] | null {
    const names = this.#declared.get(kind);
    return names === undefined ? null : [...names.keys()];
  }

  /** The type that a name was declared with; null where there is none. */
  typeOf(kind: DeclaredKind, name: string): string | null {
    return this.#declared.get(kind)?.get(name) ?? null;
  }

  /** Names that expressions may read at the place that is being read, besides those of its key: of steps around it. */
  get innerNames(): readonly string[] {
    return this.#innerNames;
  }

  /** Reads a part of the document whose expressions may read these names as well. */
  withNames<T>(names: readonly string[], read: () => T): T {
    const outer = this.#innerNames;
    this.#innerNames = [...outer, ...names];
    try {
      return read();
    } finally {
      this.#innerNames = outer;
    }
  }

  /** Puts off a check that needs what the document declares further down. */
  atLast(check: () => void): void {
    this.#last.push(check);
  }

  /** Does the checks that were put off: the document has been read. */
  finish(): void {
    for (const check of this.#last.splice(0)) check();
  }

  isPlaceholder(value: unknown): boolean {
    return typeof value === 'string' && this.#isPlaceholder(value);
  }
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface ParseOptions
  extends Pick<DocumentCheckOptions, 'connectorTypes' | 'checksExpressions' | 'parseExpression'> {
  readonly limits?: Partial<YamlLimits>;
}

/** Loads a text and reads it with `read`; ok only where neither found a problem. */
export function parseDocument<T>(
  text: string,
  read: (check: DocumentCheck, value: unknown) => T | null,
  { limits = {}, ...options }: ParseOptions = {},
): Parsed<T> {
  const loaded = loadYaml(text, limits);
  if (!loaded.ok) return loaded;
  const check = new DocumentCheck(loaded.document, options);
  const value = read(check, loaded.document.value);
  check.finish();
  return value === null || check.failed ? { ok: false, problems: check.problems } : { ok: true, value };
}
