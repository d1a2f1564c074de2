import { isRecord } from '../../base/json.ts';
import { didYouMean, didYouMeanOneOf, suggestName } from '../../base/text/suggest-name.ts';
import { findMembers } from '../expression/parse-expression.ts';
import { splitTemplate } from '../expression/split-template.ts';
import type { DocumentCheck } from '../yaml/document-check.ts';
import type { Path } from '../yaml/yaml-path.ts';
import { ENTRY_TYPES, publicEntriesOf, type ScopedDocument } from './scope-profile.ts';

/** Entries of `job_config` that a filter's expressions read; `*` where they may read any. */
export function entriesReadBy(filter: unknown): ReadonlySet<string> {
  if (typeof filter === 'string') {
    const expressions = splitTemplate(filter).parts.filter((part) => typeof part !== 'string');
    return new Set(expressions.flatMap(({ source }) => [...findMembers(source, 'job_config')]));
  }
  if (Array.isArray(filter)) return new Set(filter.flatMap((item) => [...entriesReadBy(item)]));
  return isRecord(filter) ? entriesReadBy(Object.values(filter)) : new Set();
}

/** The entry through which people with the share link could choose what a filter lets through; null for none. */
export function publicEntryIn(read: ReadonlySet<string>, publicEntries: readonly string[]): string | null {
  return publicEntries.find((entry) => read.has(entry) || read.has('*')) ?? null;
}

/**
 * Reports filters of `scope` that would limit nothing, because nothing of the document reads their connector, and those that people
 * with the share link could change. Options of forms are read from connectors that the job template names: beside a form, only a name
 * that looks misspelt is reported.
 */
export function checkScope(check: DocumentCheck, document: ScopedDocument, path: Path): void {
  const read = connectorsReadBy(document);
  const widgets = document.pages.flatMap((page) => page.widgets);
  const hasForms = widgets.some(({ type }) => ENTRY_TYPES.includes(type));
  const publicEntries = publicEntriesOf(document);
  const ofTemplate = check.declared('connectors');
  for (const [profile, filters] of Object.entries(document.scope)) {
    const isEmpty = Object.values(filters).every((filter) => Object.keys(filter).length === 0);
    if (isEmpty && check.connectorTypes !== null)
      check.add(
        [...path, 'scope', profile],
        `the scope "${profile}" limits nothing: name a connector and a field`,
      );
    for (const [connector, filter] of Object.entries(filters)) {
      const at = [...path, 'scope', profile, connector];
      if (ofTemplate?.includes(connector) === false) {
        const hint = didYouMeanOneOf(connector, ofTemplate);
        check.add(at, `the job template has no connector "${connector}" to limit${hint}`, 'key');
      } else if (isIdle(check, connector, read, hasForms)) {
        const hint = didYouMean(connector, read);
        check.add(at, `the connector "${connector}" is not read here, so this limits nothing${hint}`, 'key');
      }
      const entry = publicEntryIn(entriesReadBy(filter), publicEntries);
      if (entry === null) continue;
      const reason = `people with the share link can change "${entry}" in a form`;
      check.add(at, `the scope reads job_config, of which ${reason}: it would limit nobody`);
    }
  }
}

function isIdle(check: DocumentCheck, name: string, read: readonly string[], hasForms: boolean): boolean {
  if (read.length === 0 || read.includes(name) || read.some((other) => check.isPlaceholder(other)))
    return false;
  return !hasForms || suggestName(name, read) !== null;
}

/** Connectors that the document's own calls name. */
function connectorsReadBy({ shared_queries, pages }: ScopedDocument): readonly string[] {
  const names = new Set(Object.values(shared_queries).map(({ connector }) => connector));
  for (const { binding, config } of pages.flatMap((page) => page.widgets)) {
    if (binding.kind === 'call') names.add(binding.call.connector);
    const { run, input } = config;
    const fields: readonly unknown[] = Array.isArray(input) ? input : [];
    for (const call of [run, ...fields.map((field) => (isRecord(field) ? field['options_source'] : null))]) {
      if (isRecord(call) && typeof call['connector'] === 'string') names.add(call['connector']);
    }
  }
  names.delete('');
  return [...names];
}
