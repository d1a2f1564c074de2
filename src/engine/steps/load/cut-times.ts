import type { Batch } from '../../../drivers/driver.ts';

const FRACTION = /\.(\d+)/;

/** Counts the times of a load that have more digits of a second than its target keeps, so that its log can say so. */
export class CutTimes {
  readonly #digits: number;
  /** Times by column. */
  readonly #found = new Map<string, number>();

  /** `digits`: of a second, which the target keeps. Default: all. */
  constructor(digits = Number.POSITIVE_INFINITY) {
    this.#digits = digits;
  }

  /** Rows that the target has taken. */
  see({ columns, rows }: Batch): void {
    if (!Number.isFinite(this.#digits)) return;
    for (const { name, type } of columns) {
      if (type !== 'timestamp') continue;
      let cut = 0;
      for (const row of rows) if (this.#isCut(row[name])) cut += 1;
      if (cut > 0) this.#found.set(name, (this.#found.get(name) ?? 0) + cut);
    }
  }

  /** Times that the target has with fewer digits, by column. */
  get counts(): ReadonlyMap<string, number> {
    return this.#found;
  }

  /** A sentence for people; null where the target keeps all times as they came. */
  sentence(object: string): string | null {
    if (this.#found.size === 0) return null;
    const columns = Array.from(this.#found, ([name, count]) => `"${name}" (${count})`).join(', ');
    return `"${object}" keeps ${this.#digits} digits of a second, fewer than times came with: ${columns}`;
  }

  #isCut(value: unknown): boolean {
    // Nothing shorter than `2024-02-29T23:59:59.123` has digits to lose.
    if (typeof value !== 'string' || value.length <= 20 + this.#digits) return false;
    const fraction = FRACTION.exec(value)?.[1];
    return fraction !== undefined && fraction.slice(this.#digits).replaceAll('0', '') !== '';
  }
}
