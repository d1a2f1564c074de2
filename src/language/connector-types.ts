import type { MethodCursor } from './task/method-cursor.ts';
import type { Path } from './yaml/yaml-path.ts';

/**
 * `rows`: gives batches of rows. `value`: gives one value. `write`: has effects; never reachable from dashboards, options or the
 * explorer, but for an action.
 */
export type MethodKind = 'rows' | 'value' | 'write';

/**
 * What is known of a value of a document before it runs. `anything`: one expression or variable stands for it. `text`: a text into
 * which some are put. `itself`: it is what it says.
 */
export type KnownAs = 'itself' | 'text' | 'anything';

/** Something wrong with arguments, at a path inside them. */
export interface ArgumentProblem {
  readonly path: Path;
  readonly message: string;
  /** Default: `value`. */
  readonly part?: 'key';
}

export interface ConnectorMethod {
  readonly name: string;
  readonly kind: MethodKind;
  /** How an incremental extract limits a call; undefined where its arguments must read `state.cursor`. */
  readonly cursor: MethodCursor | undefined;
  /** Records of its source may be malformed, and each is told by itself. */
  readonly tellsMalformed: boolean;
  /** What is wrong with arguments as a document has them, as far as it can be known before they are evaluated. */
  readonly argumentProblems: (
    args: unknown,
    knownAs: (value: unknown) => KnownAs,
  ) => readonly ArgumentProblem[];
}

/** What a validator knows of a connector type. */
export interface ConnectorType {
  readonly type: string;
  /** The modes of its loads; empty where it cannot be written to. */
  readonly writeModes: readonly string[];
  /** The modes in which a load of it publishes the parts of an extract together. */
  readonly partModes: readonly string[];
  /** Another executor may reach the same data with the same configuration. */
  readonly anywhere: boolean;
  /** Its loads can take away rows that no longer come. */
  readonly deletesMissing: boolean;
  /** Its columns have types, which a load can hold values against. */
  readonly typedColumns: boolean;
  /** A load can give its columns wider types. */
  readonly widensColumns: boolean;
  /** A load of it waits for another one to end. */
  readonly oneLoadAtOnce: boolean;
  readonly methods: readonly ConnectorMethod[];
}

/** The connectors of this build, by type, in the order in which they are shown. */
export type ConnectorTypes = ReadonlyMap<string, ConnectorType>;
