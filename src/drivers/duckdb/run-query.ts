import type { ChildProcess } from 'node:child_process';
import { forkEntry, lastWords } from '../../base/process/child-process.ts';
import { entryFile } from '../../base/program-files.ts';
import { type Batch, ConnectorError } from '../driver.ts';
import type { FromQuery, QueryTask, ToQuery } from './query-messages.ts';

/** A child's messages, in order; the end of the child without a last one is a failure. */
class Messages {
  readonly #child: ChildProcess;
  readonly #said: () => string;
  readonly #waiting: FromQuery[] = [];
  #wake: () => void = () => undefined;
  #isGone = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#said = lastWords(child);
    child.on('message', (message: FromQuery) => {
      this.#waiting.push(message);
      this.#wake();
    });
    for (const event of ['close', 'error'])
      child.on(event, () => {
        this.#isGone = true;
        this.#wake();
      });
  }

  async next(signal: AbortSignal): Promise<FromQuery> {
    const kill = () => {
      this.#child.kill('SIGKILL');
      this.#wake();
    };
    signal.addEventListener('abort', kill, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const message = this.#waiting.shift();
        if (message !== undefined) return message;
        if (this.#isGone) throw gone(this.#child, this.#said());
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', kill);
    }
  }
}

function gone({ exitCode, signalCode }: ChildProcess, said: string): ConnectorError {
  const how = signalCode === null ? `exit code ${exitCode}` : signalCode;
  return new ConnectorError('UNAVAILABLE', `The process of the query ended without an answer (${how})`, {
    cause: new Error(said),
  });
}

function failed({ why, text }: FromQuery & { readonly kind: 'failed' }): ConnectorError {
  if (why === 'missing')
    return new ConnectorError(
      'CONFIG',
      'This machine cannot query files: the optional package "@duckdb/node-api" is missing or built for another platform; install it next to headgate',
    );
  if (why === 'limit')
    return new ConnectorError(
      'CONFIG',
      `The query exceeds its memory or disk limit (SVC_SQL_MEMORY_MB, SVC_SQL_DISK_MB); select or join less (${text})`,
    );
  return new ConnectorError('CONFIG', text);
}

/** The rows of the table of a name. */
export type TableRows = (table: string) => AsyncIterable<Pick<Batch, 'columns' | 'rows'>>;

/** The rows of a query, whose process ends with the loop over them. What `rowsOf` throws ends it. */
export async function* runQuery(
  task: QueryTask,
  rowsOf: TableRows,
  signal: AbortSignal,
): AsyncGenerator<Batch, void, undefined> {
  signal.throwIfAborted();
  const child = forkEntry(entryFile('workers/file-query'), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  try {
    const messages = new Messages(child);
    const tell = (message: ToQuery) => child.connected && child.send(message, () => undefined);
    tell({ kind: 'task', task });
    for (;;) {
      const message = await messages.next(signal);
      if (message.kind === 'end') return;
      if (message.kind === 'failed') throw failed(message);
      if (message.kind === 'batch') {
        yield { columns: message.columns, rows: message.rows };
        tell({ kind: 'more' });
      } else if (message.kind === 'wants') {
        for await (const { columns, rows } of rowsOf(message.table)) {
          tell({ kind: 'rows', columns, rows });
          const answer = await messages.next(signal);
          if (answer.kind === 'failed') throw failed(answer);
        }
        tell({ kind: 'rows_end' });
      }
    }
  } finally {
    child.kill('SIGKILL');
  }
}
