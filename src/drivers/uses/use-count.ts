import {
  type ConnectorUse,
  type ConnectorUseError,
  isUnreachable,
} from '../../base/connectors/connector-use.ts';
import { ConnectorError } from '../driver.ts';

/** Counts the calls of one connector, and remembers how the last of them ended. */
export class UseCount {
  #calls = 0;
  #errors = 0;
  #ms = 0;
  #lastSuccessAt = 0;
  #unreachableSince = 0;
  #lastError: ConnectorUseError | null = null;

  /** `proves` false: the call can end well without the other side, as opening a connection can. */
  succeeded(at: number, ms: number, proves = true): void {
    this.#calls += 1;
    this.#ms += ms;
    if (proves) this.#answered(at);
  }

  /**
   * A row that is refused is an answer. What is no `ConnectorError`, such as a cancelled run, says nothing of the connector.
   */
  failed(at: number, ms: number, error: unknown): void {
    this.#calls += 1;
    this.#ms += ms;
    if (!(error instanceof ConnectorError)) return;
    if (error.fault === 'DATA') {
      this.#answered(at);
      return;
    }
    this.#errors += 1;
    this.#lastError = { at, code: error.fault, message: error.message };
    if (isUnreachable(error.fault) && this.#unreachableSince === 0) this.#unreachableSince = at;
  }

  recordOf(connectorId: number): ConnectorUse {
    return {
      connector_id: connectorId,
      calls: this.#calls,
      errors: this.#errors,
      ms: Math.round(this.#ms),
      last_success_at: this.#lastSuccessAt,
      unreachable_since: this.#unreachableSince,
      last_error: this.#lastError,
    };
  }

  #answered(at: number): void {
    this.#lastSuccessAt = at;
    this.#unreachableSince = 0;
  }
}
