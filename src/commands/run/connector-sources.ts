import { readFileSync } from 'node:fs';

/** Where connectors are read from if no other file is named. */
export const CONNECTORS_FILE = 'connectors.yaml';

export interface ConnectorSources {
  /** A YAML or JSON file of `name: {type, config}`; null for none. */
  readonly file: string | null;
  /** `name=@file` or `name=type:text`; they win over the file's. */
  readonly given: readonly string[];
  /** What `${env:NAME}` may name; by default everything in this process's environment. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Paths and packages of drivers of one's own, besides those of the settings. */
  readonly drivers?: readonly string[] | undefined;
  /** Those of the settings; null where this process cannot read them. By default they are read when a type calls for them. */
  readonly driversOfSettings?: readonly string[] | null;
}

/** A connector has a type that only a driver of the settings can have, and this process was not told which those are. */
export class DriversNeeded extends Error {}

/** A variable of the environment within a text of a configuration. */
const VARIABLE = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Those of `sources`, for a process that has none of this one's environment. A file that cannot be read names none. */
export async function variablesOf({ file, given }: ConnectorSources): Promise<Record<string, string>> {
  const files = given.map((text) => /^[^=]+=@(.*)$/.exec(text)?.[1] ?? null);
  const texts = [file, ...files].flatMap((path) => {
    try {
      return path === null ? [] : readFileSync(path, 'utf8');
    } catch {
      return [];
    }
  });
  return variablesIn([...given, ...texts].join('\n'));
}

/** The variables of this process's environment that a text names. */
export async function variablesIn(text: string): Promise<Record<string, string>> {
  const names = Array.from(text.matchAll(VARIABLE), ([, name = '']) => name);
  // Few name one, and the settings' code takes a good part of a short run's time.
  if (names.length === 0) return {};
  const { variableNamed } = await import('../../config.ts');
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = variableNamed(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
