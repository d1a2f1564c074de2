import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunSpec } from '../../../src/protocol/control-plane.ts';
import { type Bench, connector, eventually } from './executor-bench.ts';

/** Slow enough to be caught half-way: `batches` batches, 50 ms each, then one commit. */
export function slowSpec(batches: number): Partial<RunSpec> {
  return {
    yaml: `
version: 1
name: slow
connectors: { source: {type: dummy}, target: {type: dummy} }
steps:
  - { id: say, kind: log, message: "begun" }
  - { id: read, kind: extract, connector: source, method: list, batch: {size: 10} }
  - { id: write, kind: load, input: read, connector: target, object: rows }
  - { id: end, kind: log, message: "over" }
`,
    connectors: {
      source: connector('dummy', { generate: { count: batches * 10, columns: ['id'] }, delay_ms: 50 }),
      target: connector('dummy', { record_to: 'target.ndjson' }),
    },
  };
}

/** Twenty lists of 8 MB each. */
const HUNGRY = `{{ [${Array.from({ length: 20 }, () => '[[1..999999]]').join(', ')}] }}`;

/** A run that takes more memory than its limit. */
export const hungrySpec: Partial<RunSpec> = {
  yaml: `
version: 1
name: hungry
connectors: { source: {type: dummy} }
steps:
  - { id: read, kind: call, connector: source, method: echo, args: { value: "${HUNGRY}" } }
`,
  connectors: { source: connector('dummy', {}) },
};

/** A regular expression that backtracks for ever; nothing inside the process can stop it. */
export const ENDLESS: Partial<RunSpec> = {
  yaml: `
version: 1
name: endless
timeout: 1s
steps:
  - { id: say, kind: log, message: "begun" }
  - { id: bomb, kind: assert, check_expr: '$contains("${'a'.repeat(60)}!", /^(a+)+$/)' }
`,
};

export const begun = (run: { lines: readonly { message: string }[] }) =>
  eventually('the run has begun', () => run.lines.some((line) => line.message === 'begun'));

const targetOf = ({ folder }: Bench) => join(folder, 'target.ndjson');

export function recordedRows(bench: Bench): number {
  const file = targetOf(bench);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}
