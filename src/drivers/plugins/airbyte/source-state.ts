import { canonicalJson, isRecord } from '../../../base/json.ts';
import type { Row } from '../../driver.ts';

/**
 * The state of a source: its last STATE message of each stream, or of all together (GLOBAL), as the list that `read` takes; sources of
 * before 2022 have one object without types.
 */
export class AirbyteState {
  /** By stream; '' for GLOBAL. */
  readonly #messages = new Map<string, Row>();
  #legacy: unknown;

  constructor(saved: unknown) {
    if (Array.isArray(saved)) for (const message of saved.filter(isRecord)) this.follow(message);
    else if (isRecord(saved)) this.#legacy = saved;
  }

  /** Takes the body of a STATE message. */
  follow(state: Row): void {
    const { type, stream, global, data } = state;
    if (type === 'GLOBAL' && isRecord(global)) this.#messages.set('', { type, global });
    else if (type === 'STREAM' && isRecord(stream))
      this.#messages.set(canonicalJson(stream['stream_descriptor']), { type, stream });
    else if (data !== undefined) this.#legacy = data;
  }

  /** JSON that the next run begins with. */
  value(): unknown {
    return this.#messages.size === 0 ? (this.#legacy ?? []) : [...this.#messages.values()];
  }
}
