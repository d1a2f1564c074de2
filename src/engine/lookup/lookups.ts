import type { LookupOp } from '../../language/task/steps/ops/transform-ops.ts';
import { ConnectorFinder, type ConnectorFinderOptions } from './connector-finder.ts';
import type { KeyFinder } from './key-finder.ts';

/** The lookups of one step, whose connections are open until `close`. */
export class Lookups {
  readonly #options: Omit<ConnectorFinderOptions, 'op'>;
  readonly #finders: ConnectorFinder[] = [];

  constructor(options: Omit<ConnectorFinderOptions, 'op'>) {
    this.#options = options;
  }

  finderOf(op: LookupOp): KeyFinder {
    const finder = new ConnectorFinder({ ...this.#options, op });
    this.#finders.push(finder);
    return finder;
  }

  /** Never rejects. `isWhole`: all rows have been looked up. */
  async close(isWhole: boolean): Promise<void> {
    await Promise.all(this.#finders.map((finder) => finder.close(isWhole)));
  }
}
