import { ConnectorError } from '../driver.ts';

/** A value of a read that its column cannot be compared with (`CONFIG`), such as the text "x" and a column of numbers. */
export class UnfitValueError extends ConnectorError {
  constructor(message: string, cause: unknown) {
    super('CONFIG', message, { cause });
  }
}
