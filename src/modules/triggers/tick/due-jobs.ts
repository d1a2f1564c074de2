import { AppError } from '../../../base/errors.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { Db } from '../../../store/store.ts';
import type { TemplateInfo } from '../../../threads/messages/definition-info.ts';
import type { RunnableJob } from '../../job-runs/job-run-start.ts';
import { defaultArgs } from '../../jobs/job.ts';
import { concurrencyKey, type EvaluateKey } from '../../jobs/start/concurrency-key.ts';
import { selectJobSettings, selectJobTemplatesOf } from './trigger-job-store.ts';

const TEMPLATES_MAX = 2_000;

/** A job as a trigger starts it: with its default arguments and its evaluated concurrency key. */
export interface DueJob {
  readonly id: number;
  readonly version: number;
  readonly config_version: number;
  readonly runnable: RunnableJob;
  readonly args: Readonly<Record<string, unknown>>;
  readonly key: string | null;
  /** Why it cannot be started; null if it can. */
  readonly problem: AppError | null;
}

interface KnownTemplate {
  readonly version: number;
  readonly parsed: TemplateInfo;
  readonly yaml_content: string;
}

/** Loads jobs before the transaction that starts them. Parsed templates are cached by job and version. */
export class DueJobs {
  readonly #evaluateKey: EvaluateKey;
  readonly #templates = new Map<number, KnownTemplate>();

  constructor(evaluateKey: EvaluateKey) {
    this.#evaluateKey = evaluateKey;
  }

  async load(db: Db, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, DueJob>> {
    const rows = await selectJobSettings(db, [...ids]);
    const unknown = rows.filter((row) => this.#templates.get(row.id)?.version !== row.version);
    await this.#learn(
      db,
      unknown.map((row) => row.id),
    );
    const jobs = new Map<number, DueJob>();
    for (const row of rows) {
      const template = this.#templates.get(row.id);
      // Changed between the two reads: the next pass takes it.
      if (template?.version !== row.version) continue;
      const config = parseJsonText(row.config_json) as Record<string, unknown>;
      const mapping = JSON.parse(row.connector_mapping_json) as Record<string, number>;
      const { parsed } = template;
      const args = defaultArgs(parsed);
      const { id, name, version, config_version } = row;
      const runnable = { id, name, parsed, config, mapping };
      const evaluated = await this.#keyOf(template, args, config);
      jobs.set(id, { id, version, config_version, runnable, args, ...evaluated });
    }
    return jobs;
  }

  async #learn(db: Db, ids: readonly number[]): Promise<void> {
    for (const { id, version, yaml_content, parsed_json } of await selectJobTemplatesOf(db, ids)) {
      if (this.#templates.size >= TEMPLATES_MAX) this.#templates.clear();
      this.#templates.set(id, { version, yaml_content, parsed: JSON.parse(parsed_json) as TemplateInfo });
    }
  }

  async #keyOf(
    template: KnownTemplate,
    args: Readonly<Record<string, unknown>>,
    config: Readonly<Record<string, unknown>>,
  ): Promise<Pick<DueJob, 'key' | 'problem'>> {
    try {
      return { key: await concurrencyKey(this.#evaluateKey, template, args, config), problem: null };
    } catch (error) {
      // If the worker host is full or unavailable, the time is tried again.
      if (error instanceof AppError && error.code === 'VALIDATION_ERROR')
        return { key: null, problem: error };
      throw error;
    }
  }
}
