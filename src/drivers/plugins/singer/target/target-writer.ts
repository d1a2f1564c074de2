import { isRecord } from '../../../../base/json.ts';
import { type Batch, ConnectorError, type WriteRequest, type Writer } from '../../../driver.ts';
import type { Committed } from '../../../load-request.ts';
import type { PluginProgram } from '../../process/plugin-program.ts';
import { recordTexts, schemaText } from './record-texts.ts';
import { TargetProcess } from './target-process.ts';

/** Of the bookmark that each batch ends with. */
const ROWS = 'headgate_rows';

/**
 * A load of one stream through a target. Each batch ends with a STATE that says how many rows came until then; the load is committed once
 * the target has ended well and acknowledged the last of them.
 */
export class TargetWriter implements Writer {
  readonly alreadyDone = null;
  readonly #program: PluginProgram;
  readonly #patienceMs: number;
  readonly #request: WriteRequest;
  #target: TargetProcess | null = null;
  /** The last SCHEMA. */
  #schema = '';
  #sent = 0;
  #acknowledged = 0;

  constructor(program: PluginProgram, patienceMs: number, request: WriteRequest) {
    this.#program = program;
    this.#patienceMs = patienceMs;
    this.#request = request;
  }

  async write(batch: Batch): Promise<void> {
    const { object, key } = this.#request;
    const records = recordTexts(object, batch);
    const schema = schemaText(object, batch.columns, key);
    const rows = this.#sent + batch.rows.length;
    const value = { bookmarks: { [object]: { [ROWS]: rows } } };
    const text = `${schema === this.#schema ? '' : schema}${records}${JSON.stringify({ type: 'STATE', value })}\n`;
    this.#schema = schema;
    this.#sent = rows;
    await this.#open().write(text);
  }

  async commit(): Promise<Committed> {
    if (this.#target === null) return { rows: 0 };
    await this.#target.finish();
    if (this.#acknowledged === this.#sent) return { rows: this.#sent };
    throw new ConnectorError(
      'TARGET',
      `The target "${this.#program.name}" acknowledged ${this.#acknowledged} of ${this.#sent} rows: the others may not be stored`,
    );
  }

  async abort(): Promise<void> {
    await this.#target?.close();
  }

  /** A load without rows needs no process. */
  #open(): TargetProcess {
    const { signal, log, object } = this.#request;
    this.#target ??= new TargetProcess({
      program: this.#program,
      signal,
      log,
      patienceMs: this.#patienceMs,
      onState: ({ bookmarks }) => {
        const bookmark = isRecord(bookmarks) ? bookmarks[object] : null;
        const rows = isRecord(bookmark) ? Number(bookmark[ROWS]) : 0;
        if (rows > this.#acknowledged) this.#acknowledged = rows;
      },
    });
    return this.#target;
  }
}
