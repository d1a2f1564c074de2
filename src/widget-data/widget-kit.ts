import { canonicalJson } from '../base/json.ts';
import { Lru } from '../base/lru.ts';
import type { ConnectionCache } from '../drivers/connection-cache.ts';
import { CompiledExpressions } from '../language/dashboard/widgets/compiled-expressions.ts';
import type { FormField } from '../language/template/form-field.ts';
import type { JobConfigEntry } from '../language/template/job-config.ts';
import type { OptionsSource } from '../language/template/options-source.ts';
import { entryOf, fieldsOf, optionsSourceOf } from '../language/template/read-stored.ts';
import { DocumentCache } from './document-cache.ts';
import { TemplateCache } from './template-cache.ts';

const STORED_MAX = 200;

/** What a thread keeps between tasks: open connections, and everything that it has parsed or compiled, each by what it was made from. */
export class WidgetKit {
  readonly connections: ConnectionCache;
  readonly documents = new DocumentCache();
  readonly expressions = new CompiledExpressions();
  readonly templates = new TemplateCache();
  readonly #entries = new Lru<{ readonly entry: JobConfigEntry | null }>(STORED_MAX);
  readonly #sources = new Lru<{ readonly source: OptionsSource | null }>(STORED_MAX);
  readonly #fields = new WeakMap<object, readonly FormField[]>();

  constructor(connections: ConnectionCache) {
    this.connections = connections;
  }

  /** An entry of `job_config`; null where its type is not known. */
  entry(schema: Readonly<Record<string, unknown>>): JobConfigEntry | null {
    return this.#entries.get(canonicalJson(schema), () => ({ entry: entryOf(schema) })).entry;
  }

  optionsSource(
    source: Readonly<Record<string, unknown>>,
    label: string | null,
    value: string | null,
  ): OptionsSource | null {
    const key = canonicalJson([source, label, value]);
    return this.#sources.get(key, () => ({ source: optionsSourceOf(source, label, value) })).source;
  }

  /** The `input` of an action of a kept document; none where it has none. */
  actionFields(input: unknown): readonly FormField[] {
    if (typeof input !== 'object' || input === null) return [];
    const known = this.#fields.get(input);
    if (known !== undefined) return known;
    const fields = fieldsOf(input);
    this.#fields.set(input, fields);
    return fields;
  }
}
