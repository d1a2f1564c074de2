import { didYouMeanOneOf } from '../../../base/text/suggest-name.ts';
import type { Rule } from '../../declare/rules.ts';
import type { MapReader } from '../../yaml/map-reader.ts';

/*
 * Rules of what a widget names of its job template, where that is known, and of widgets that are being saved. A JSON Schema knows
 * neither.
 */

function rule(check: (reader: MapReader) => void): Rule {
  return { check, schemas: () => [] };
}

/** `connector` is one that the job template declares. */
export const CONNECTOR_OF_TEMPLATE = rule((reader) => {
  checkDeclared(reader, 'connector', 'connectors', 'connector');
});

/** The task under `key` is one of the job template; `orId`: the widget's id stands for it where it is left out. */
export function taskOfTemplate(key: string, { orId }: { readonly orId: boolean }): Rule {
  return rule((reader) => {
    const at = orId && !reader.has(key) ? 'id' : key;
    checkDeclared(reader, at, 'tasks', 'task', at === key ? '' : `; name one with "${key}"`);
  });
}

function checkDeclared(
  reader: MapReader,
  key: string,
  kind: 'connectors' | 'tasks',
  noun: string,
  advice = '',
): void {
  const { check } = reader;
  const name = reader.value(key);
  const declared = check.declared(kind);
  if (declared === null || typeof name !== 'string' || declared.includes(name)) return;
  if (check.isPlaceholder(name)) return;
  const hint = didYouMeanOneOf(name, declared);
  reader.wrong(key, `The job template has no ${noun} "${name}"${hint}${advice}`);
}

/** The entry of `job_config` that an input edits is one of the job template, and of the input's own type. */
export function entryOfTemplate(type: 'form' | 'field_mapping'): Rule {
  return rule((reader) => {
    const { check } = reader;
    const entries = check.declared('job_config');
    const key = reader.has('config_key') ? 'config_key' : 'id';
    const name = reader.value(key);
    if (entries === null || typeof name !== 'string' || check.isPlaceholder(name)) return;
    const found = check.typeOf('job_config', name);
    if (found === type) return;
    if (found !== null) {
      reader.wrong(key, `"${name}" in the job template's "job_config" is a ${found}, not a ${type}`);
      return;
    }
    const fitting = entries.filter((entry) => check.typeOf('job_config', entry) === type);
    const advice = key === 'id' ? '; name one with "config_key"' : '';
    const hint = didYouMeanOneOf(name, fitting);
    reader.wrong(key, `The job template has no ${type} "${name}" in "job_config"${hint}${advice}`);
  });
}

/** A chart has data, and series where it lists them. */
export const DRAWN_CHART = rule((reader) => {
  if (reader.check.connectorTypes === null) return;
  const series = reader.value('series');
  if (Array.isArray(series) && series.length === 0)
    reader.wrong('series', '"series" must not be empty; leave it out to draw each column of numbers');
  if (['connector', 'shared_query', 'source', 'items_expr'].some((key) => reader.has(key))) return;
  const message = 'The chart has nothing to draw: set "connector", "shared_query", "source" or "items_expr"';
  reader.check.add(reader.path, message);
});

/** An action does something. */
export const ACTION_RUNS = rule((reader) => {
  if (reader.check.connectorTypes === null || reader.has('run')) return;
  const message =
    'The action does nothing: set "run" to "job: true", a "task", or a "connector" with its "method"';
  reader.check.add(reader.path, message);
});
