import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEndStatus } from '../../src/base/run-report.ts';
import type { Outcome } from '../../src/protocol/control-plane.ts';

interface Place {
  readonly run: number;
  readonly attempt: number;
  readonly epoch: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What one simulated executor saw. What may have reached the server is written before it is sent, answers when they came. */
export type LoadRecord =
  | (Place & { readonly kind: 'assigned' })
  /** Lines up to `to` may be stored from now on. */
  | (Place & { readonly kind: 'sending'; readonly to: number })
  /** Lines up to `to` were acknowledged, to a batch that was sent at `sentAt`. */
  | (Place & { readonly kind: 'acked'; readonly to: number; readonly sentAt: number })
  | (Place & { readonly kind: 'metrics_sending'; readonly batch: number; readonly points: number })
  | (Place & { readonly kind: 'metrics_acked'; readonly batch: number; readonly points: number })
  | (Place & { readonly kind: 'checkpoint'; readonly version: number; readonly sentAt: number })
  | (Place & {
      readonly kind: 'completing';
      readonly status: RunEndStatus;
      readonly retryable: boolean;
      readonly lastSeq: number;
    })
  | (Place & { readonly kind: 'completed'; readonly outcome: Outcome; readonly sentAt: number })
  /** The server did what it must not. */
  | (Place & { readonly kind: 'violation'; readonly text: string });

/** Appends to a file of lines. What was written is there though the process is killed in the next moment. */
export class LoadRecorder {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a');
  }

  write(record: LoadRecord): void {
    writeSync(this.#file, `${JSON.stringify(record)}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** All records of a folder, each file in its order. A last line that a killed process left half-written is left out. */
export function readRecords(folder: string): LoadRecord[] {
  return readdirSync(folder).flatMap((name) => {
    if (!name.endsWith('.ndjson')) return [];
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    return lines.slice(0, -1).map((line) => JSON.parse(line) as LoadRecord);
  });
}
