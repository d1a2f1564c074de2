import type { components } from '../../../../client/openapi-types.ts';
import { type NameSource, noNames } from './name-source.ts';
import type { Schema } from './schema-walk.ts';

export type ConnectorType = components['schemas']['ConnectorType'];

/** What completion knows besides the text: what is not known, or not yet, completes nothing. */
export interface Vocabulary {
  /** What the text is; null where that is not known. */
  readonly document: 'task' | 'job-template' | 'dashboard' | null;
  readonly schema: Schema | null;
  /** Those of the server. */
  readonly connectorTypes: readonly ConnectorType[];
  /** Types of connectors by name, as another document declares them. The text itself may declare more. */
  readonly connectors: ReadonlyMap<string, string>;
  readonly names: NameSource;
}

export const emptyVocabulary: Vocabulary = {
  document: null,
  schema: null,
  connectorTypes: [],
  connectors: new Map(),
  names: noNames,
};

/** The connectors that a text declares, by name, with their types; empty where none is typed yet. */
export function connectorsIn(text: string): ReadonlyMap<string, string> {
  const connectors = new Map<string, string>();
  const block = /^connectors:[ \t]*(?:#.*)?\n((?:[ \t]+.*\n?|[ \t]*\n)*)/m.exec(text)?.[1] ?? '';
  const indent = /^[ \t]+(?=[\w"'])/m.exec(block)?.[0] ?? '';
  let name: string | null = null;
  for (const line of block.split('\n')) {
    const [, before, key = '', value = ''] = /^([ \t]+)["']?([\w-]+)["']?:(.*)$/.exec(line) ?? [];
    if (before === indent) {
      name = key;
      connectors.set(name, typeIn(value));
    } else if (name !== null && key === 'type') connectors.set(name, typeIn(`type:${value}`));
  }
  const flow = /^connectors:[ \t]*\{((?:[^{}]|\{[^{}]*\})*)/m.exec(text)?.[1] ?? '';
  for (const [, key = '', value = ''] of flow.matchAll(/([\w-]+)["']?:\s*\{([^{}]*)\}/g))
    connectors.set(key, typeIn(value));
  return connectors;
}

function typeIn(text: string): string {
  return /(?:^|[\s{,])type:\s*["']?([\w-]+)/.exec(text)?.[1] ?? '';
}
