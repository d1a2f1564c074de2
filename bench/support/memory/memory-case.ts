import type { Pipeline } from '../run-pipeline.ts';

/** A pipeline whose runner's memory is measured. */
export interface MemoryCase {
  readonly name: string;
  /** Makes the source with so many rows and an empty target. */
  prepare(rows: number): Promise<Omit<Pipeline, 'rows' | 'runId'>>;
  /** Removes what `prepare` has made. */
  cleanUp(): Promise<void>;
}

/** A task that reads all of one connector into another. */
export function taskOf(source: string, read: string, target: string, load: string): string {
  return `
version: 1
name: people
connectors: { source: {type: ${source}}, target: {type: ${target}} }
steps:
  - { id: read, kind: extract, connector: source, ${read} }
  - { id: write, kind: load, input: read, connector: target, ${load} }
`;
}

export function connectorsOf(
  source: { readonly type: string; readonly config: unknown },
  target: { readonly type: string; readonly config: unknown },
): Pipeline['connectors'] {
  return { source: { name: 'source', ...source }, target: { name: 'target', ...target } };
}
