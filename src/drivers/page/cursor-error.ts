import { ConnectorError } from '../driver.ts';

/** A page's cursor that leads nowhere any more, or never did: the fault (`CONFIG`) of whoever asks, who begins with the first page. */
export class CursorError extends ConnectorError {
  constructor(message: string) {
    super('CONFIG', message);
  }
}
