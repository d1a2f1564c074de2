import type { Column, WriteRequest } from '../../driver.ts';

/** Says once for each column of the rows that the target computes it itself, so that the values of the rows are not loaded. */
export class ComputedColumns {
  readonly #request: WriteRequest;
  readonly #told = new Set<string>();

  constructor(request: WriteRequest) {
    this.#request = request;
  }

  /** The columns that are loaded: all but those of which `isComputed` says that the target computes them. */
  without(columns: readonly Column[], isComputed: (name: string) => boolean): readonly Column[] {
    const { mode, object, log } = this.#request;
    return columns.filter(({ name }) => {
      if (!isComputed(name)) return true;
      if (mode !== 'delete' && !this.#told.has(name))
        log?.(
          'warn',
          `The values of "${name}" are not loaded: it is a generated column of "${object}", which the database computes`,
        );
      this.#told.add(name);
      return false;
    });
  }
}
