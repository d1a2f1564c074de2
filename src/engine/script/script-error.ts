import { codeLine } from '../../language/task/steps/script/script-check.ts';
import { RowError } from '../ops/row-error.ts';

/** An item that the function of a script could not take. The message holds the line of the code, or of its file, where it is known. */
export class ScriptError extends RowError {
  constructor(message: string, line: number | null, file: string | null) {
    super('SCRIPT_ERROR', `${message}${codeLine(line, file)}`);
    this.name = 'ScriptError';
  }
}
