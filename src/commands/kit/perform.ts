import { AppError, messageOf } from '../../base/errors.ts';
import { ApiError } from '../../client/api-error.ts';
import { StoreOpenError } from '../../store/store-open-error.ts';
import { toldByServer } from '../server/told-by-server.ts';
import { CommandError } from './command-error.ts';
import { type CommandOutput, createCommandOutput } from './command-output.ts';
import { EXIT } from './exit-code.ts';
import { problemLines } from './text/problem-lines.ts';

/** Does a command's work; what it throws becomes a message on standard error (JSON with `--json`) and an exit code. */
export async function perform(
  options: { readonly json?: boolean | undefined },
  work: (out: CommandOutput) => Promise<number>,
): Promise<number> {
  const out = createCommandOutput(options.json === true);
  try {
    return await work(out);
  } catch (error) {
    const failure = failureOf(error);
    out.error(out.isJson ? JSON.stringify(failure.body) : failure.text);
    return failure.exitCode;
  }
}

interface Failure {
  readonly exitCode: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) {
    return {
      exitCode: error.exitCode,
      text: error.message,
      body: { error: 'COMMAND', message: error.message },
    };
  }
  if (error instanceof ApiError) {
    const { code, message, details, requestId, status } = error;
    const body = { error: code, message, details, request_id: requestId, status };
    return { exitCode: exitCodeOf(status), text: toldByServer(error), body };
  }
  if (error instanceof AppError) {
    const { code, details = [] } = error;
    const message =
      error instanceof StoreOpenError
        ? `${error.message}: ${error.place} (${messageOf(error.cause)})`
        : error.message;
    const exitCode = exitCodeOfOwn(error);
    return { exitCode, text: problemLines(message, details), body: { error: code, message, details } };
  }
  const message = `This is a bug in Headgate; please report it: ${messageOf(error)}`;
  return { exitCode: EXIT.fault, text: message, body: { error: 'FAULT', message } };
}

function exitCodeOfOwn(error: AppError): number {
  if (error instanceof StoreOpenError && error.mayPass) return EXIT.unavailable;
  return error.code === 'NOT_READY' ? EXIT.config : EXIT.failed;
}

function exitCodeOf(status: number): number {
  if (status === 0 || status === 502 || status === 503 || status === 504) return EXIT.unavailable;
  return status === 401 || status === 403 ? EXIT.forbidden : EXIT.failed;
}
