import { RowError } from '../ops/row-error.ts';

/** An item that the function of a script could not take. The message holds the line of the code where it is known. */
export class ScriptError extends RowError {
  constructor(message: string, line: number | null) {
    super('SCRIPT_ERROR', line === null ? message : `${message} (line ${line} of the code)`);
    this.name = 'ScriptError';
  }
}
