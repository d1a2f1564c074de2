import type { Batch, WriteRequest } from '../../driver.ts';

/** `2026-01-31T12:00:00.123Z`; nothing shorter has more digits. */
const MILLISECOND_CHARS = 24;
const FINER = /\.\d{3}\d*[1-9]/;

/** Says once for each column whose moments lose digits: dates of the database count milliseconds. */
export class CutTimes {
  readonly #request: Pick<WriteRequest, 'object' | 'log'>;
  readonly #told = new Set<string>();

  constructor(request: Pick<WriteRequest, 'object' | 'log'>) {
    this.#request = request;
  }

  look({ columns, rows }: Batch): void {
    const { object, log } = this.#request;
    if (log === undefined) return;
    for (const { name, type } of columns) {
      if (type !== 'timestamp' || this.#told.has(name)) continue;
      const isCut = rows.some(({ [name]: value }) => {
        return typeof value === 'string' && value.length > MILLISECOND_CHARS && FINER.test(value);
      });
      if (!isCut) continue;
      this.#told.add(name);
      log('warn', `The values of "${name}" are cut to milliseconds: dates of "${object}" hold no more`);
    }
  }
}
