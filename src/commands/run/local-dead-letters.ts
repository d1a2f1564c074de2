import { appendFileSync, writeFileSync } from 'node:fs';
import type { DeadLetter } from '../../base/run-report.ts';

/** Rows that did not fit, as NDJSON `{step, code, message, item}` in a file that the first of them makes anew. */
export interface LocalDeadLetters {
  add(letters: readonly DeadLetter[]): void;
  readonly count: number;
  readonly path: string;
}

export function openLocalDeadLetters(path: string): LocalDeadLetters {
  let count = 0;
  return {
    path,
    get count() {
      return count;
    },
    add(letters) {
      if (letters.length === 0) return;
      const lines = letters.map(({ step_id, code, message, item }) =>
        JSON.stringify({ step: step_id, code, message, item }, plain),
      );
      const text = `${lines.join('\n')}\n`;
      // Rows are for whoever runs the task alone.
      if (count === 0) writeFileSync(path, text, { mode: 0o600 });
      else appendFileSync(path, text);
      count += letters.length;
    },
  };
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
