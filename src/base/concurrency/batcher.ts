/** Inputs of one group that fail one after another, alone, before the rest is given up: then it is the store, not the inputs. */
const FAILURES_IN_A_ROW_MAX = 3;

export interface RunGroupOptions<In, Out> {
  /** Answers every input, in order; rejects where it has done nothing at all. Called again with single inputs then. */
  readonly handle: (inputs: readonly In[]) => Promise<readonly Out[]>;
  readonly weightOf: (input: In) => number;
  /** Of one group, but for a single input that is heavier. */
  readonly weightMax: number;
  /** How many groups are handled side by side; default 1, where the order of inputs is kept. */
  readonly groupsMax?: number;
}

interface Waiting<In, Out> {
  readonly input: In;
  readonly resolve: (output: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Handles together what is asked for in one turn of the event loop, or while the groups before are under way. Idle → gathering (the
 * rest of the turn) → handling, and again while something waits. Inputs are taken in their order. Where a group fails its inputs are
 * handled one by one, so that only the culprit's promise rejects.
 */
export class RunGroup<In, Out> {
  readonly #options: RunGroupOptions<In, Out>;
  #waiting: Waiting<In, Out>[] = [];
  #busy = 0;

  constructor(options: RunGroupOptions<In, Out>) {
    this.#options = options;
  }

  /** Inputs that no group has taken yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  ask(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      if (this.#busy >= (this.#options.groupsMax ?? 1)) return;
      this.#busy += 1;
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#take();
      try {
        await this.#settle(group);
      } catch (error) {
        if (group.length === 1) group[0]?.reject(error);
        else await this.#settleOneByOne(group);
      }
    }
    this.#busy -= 1;
  }

  #take(): Waiting<In, Out>[] {
    const { weightOf, weightMax } = this.#options;
    let weight = 0;
    let count = 0;
    for (const { input } of this.#waiting) {
      weight += weightOf(input);
      if (count > 0 && weight > weightMax) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #settle(group: readonly Waiting<In, Out>[]): Promise<void> {
    const outputs = await this.#options.handle(group.map(({ input }) => input));
    group.forEach(({ resolve }, index) => {
      resolve(outputs[index] as Out);
    });
  }

  async #settleOneByOne(group: readonly Waiting<In, Out>[]): Promise<void> {
    let failures = 0;
    let last: unknown;
    for (const one of group) {
      if (failures >= FAILURES_IN_A_ROW_MAX) {
        one.reject(last);
        continue;
      }
      try {
        await this.#settle([one]);
        failures = 0;
      } catch (error) {
        failures += 1;
        last = error;
        one.reject(error);
      }
    }
  }
}
