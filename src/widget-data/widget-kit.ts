import { LRUCache } from 'lru-cache';
import { validationError } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import { parseJsonText } from '../base/text/parse-json-text.ts';
import type { ConnectionCache } from '../drivers/connection-cache.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import { entriesReadBy } from '../language/dashboard/scope-check.ts';
import { CompiledExpressions } from '../language/dashboard/widgets/compiled-expressions.ts';
import type { Scope } from '../language/expression/expression.ts';
import { parseTemplate } from '../language/expression/parse-template-string.ts';
import type { Template } from '../language/expression/template-string.ts';
import type { FormField } from '../language/template/form-field.ts';
import type { JobConfigEntry } from '../language/template/job-config.ts';
import type { OptionsSource } from '../language/template/options-source.ts';
import { entryOf, fieldsOf, optionsSourceOf } from '../language/template/read-stored.ts';
import { type DocumentText, TextNeeded } from '../threads/messages/document-text.ts';

const STORED_MAX = 200;
const DOCUMENTS_MAX = 32;

/** What a thread caches between calls: open connections, and everything that it has parsed or compiled, each by what it was made from. */
export class WidgetKit {
  readonly connections: ConnectionCache;
  readonly documents = new DocumentCache();
  readonly expressions = new CompiledExpressions();
  readonly templates = new TemplateCache();
  readonly #entries = new LRUCache<string, { readonly entry: JobConfigEntry | null }>({ max: STORED_MAX });
  readonly #sources = new LRUCache<string, { readonly source: OptionsSource | null }>({ max: STORED_MAX });
  readonly #fields = new WeakMap<object, readonly FormField[]>();
  readonly #entriesRead = new WeakMap<object, ReadonlySet<string>>();

  constructor(connections: ConnectionCache) {
    this.connections = connections;
  }

  /** An entry of `job_config`; null where its type is not known. */
  entry(schema: Readonly<Record<string, unknown>>): JobConfigEntry | null {
    const key = canonicalJson(schema);
    const known = this.#entries.get(key) ?? { entry: entryOf(schema) };
    this.#entries.set(key, known);
    return known.entry;
  }

  /** What of `job_config` a filter of a scope reads. */
  entriesRead(filter: object): ReadonlySet<string> {
    const read = this.#entriesRead.get(filter) ?? entriesReadBy(filter);
    this.#entriesRead.set(filter, read);
    return read;
  }

  optionsSource(
    source: Readonly<Record<string, unknown>>,
    label: string | null,
    value: string | null,
  ): OptionsSource | null {
    const key = canonicalJson([source, label, value]);
    const known = this.#sources.get(key) ?? { source: optionsSourceOf(source, label, value) };
    this.#sources.set(key, known);
    return known.source;
  }

  /** The `input` of an action of a cached document; none where it has none. */
  actionFields(input: unknown): readonly FormField[] {
    if (typeof input !== 'object' || input === null) return [];
    const known = this.#fields.get(input);
    if (known !== undefined) return known;
    const fields = fieldsOf(input);
    this.#fields.set(input, fields);
    return fields;
  }
}

/** Dashboards' documents by their key, out of the JSON that they were stored as. */
class DocumentCache {
  readonly #documents = new LRUCache<string, Dashboard>({ max: DOCUMENTS_MAX });

  /** Throws `TextNeeded` for one that is not here and came without its text. */
  of({ documentKey, document }: DocumentText): Dashboard {
    const known = this.#documents.get(documentKey);
    if (known !== undefined) return known;
    if (document === null) throw new TextNeeded();
    const parsed = parseJsonText(document) as Dashboard;
    this.#documents.set(documentKey, parsed);
    return parsed;
  }
}

/** Values with `{{ expression }}`s, compiled, by the value as written in a cached document. */
class TemplateCache {
  readonly #templates = new WeakMap<object, Template>();

  /** Throws `ExpressionError`, and a `VALIDATION_ERROR` for what does not parse. */
  async render(value: unknown, scope: Scope): Promise<unknown> {
    if (typeof value === 'string') return compiled(value).render(scope);
    if (value === null || typeof value !== 'object') return value;
    let template = this.#templates.get(value);
    if (template === undefined) {
      template = compiled(value);
      this.#templates.set(value, template);
    }
    return template.render(scope);
  }
}

function compiled(value: unknown): Template {
  const parsed = parseTemplate(value, '');
  if (parsed.problems.length > 0) throw validationError(parsed.problems);
  return parsed.template;
}
