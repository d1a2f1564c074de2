import { isRecord } from '../../base/json.ts';
import { readTemplate } from '../yaml/expression-reader.ts';
import { type MapReader, nameProblem, readMap, typeName } from '../yaml/map-reader.ts';
import type { ConnectorCall, Dashboard, NavbarCta } from './dashboard.ts';
import { isSafeHref } from './safe-href.ts';
import { holdsVariable } from './substitute-vars.ts';
import { readConnectorCall } from './widget-binding.ts';

const CTAS_MAX = 20;

/** Reads `navbar_ctas`: the links in the page's header. */
export function readCtas(reader: MapReader): readonly NavbarCta[] {
  return (reader.list('navbar_ctas', { max: CTAS_MAX }) ?? []).flatMap((item, index) => {
    const keys = { keys: ['label', 'href', 'variant', 'icon', 'text'] };
    const where = `dashboard.navbar_ctas[${index}]`;
    const path = reader.at('navbar_ctas', index);
    if (!isRecord(item)) {
      reader.check.add(path, `${where} must be a map, not ${typeName(item)}`);
      return [];
    }
    const cta = readMap(reader.check, item, path, keys);
    if (cta === null) return [];
    if (!cta.has('label')) cta.wrong('label', `${where}.label is required`);
    const href = cta.value('href');
    if (typeof href !== 'string' || !isSafeHref(withoutVariables(href))) {
      cta.wrong('href', `${where}.href must be an http(s), mailto, tel, or relative URL`);
    }
    return [
      {
        label: cta.text('label') ?? '',
        href: typeof href === 'string' ? href : '',
        variant: cta.oneOf('variant', ['button', 'link']) ?? 'button',
        icon: cta.name('icon', 'key'),
        text: cta.text('text'),
      },
    ];
  });
}

/** Variables that are not put in yet stand for plain words. */
function withoutVariables(href: string): string {
  return holdsVariable(href) ? href.replace(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, 'x') : href;
}

/** Reads `scope`: profile to connector to the fields of a filter, literal or with `{{ expression }}`. */
export function readScope(reader: MapReader): Dashboard['scope'] {
  const scope: Record<string, Record<string, Record<string, unknown>>> = {};
  for (const [profile, connectors] of reader.entries('scope', 'key')) {
    if (!isRecord(connectors)) {
      reader.check.add(
        reader.at('scope', profile),
        `"${profile}" must be a map, not ${typeName(connectors)}`,
      );
      continue;
    }
    const filters: Record<string, Record<string, unknown>> = {};
    for (const [connector, filter] of Object.entries(connectors)) {
      const path = reader.at('scope', profile, connector);
      const problem = nameProblem(connector, 'word');
      if (problem !== null) reader.check.add(path, problem, 'key');
      else if (!isRecord(filter))
        reader.check.add(path, `"${connector}" must be a map of filter fields, not ${typeName(filter)}`);
      else {
        readTemplate(reader.check, filter, path, ['job', 'job_config', 'args']);
        filters[connector] = filter;
      }
    }
    scope[profile] = filters;
  }
  return scope;
}

/** Reads `shared_queries`: named connector calls that several widgets read. */
export function readSharedQueries(reader: MapReader): Dashboard['shared_queries'] {
  const queries: Record<string, ConnectorCall> = {};
  for (const [name, value] of reader.entries('shared_queries', 'key')) {
    const keys = { keys: ['connector', 'method', 'args'] };
    const query = readMap(reader.check, value, reader.at('shared_queries', name), keys);
    if (query !== null) queries[name] = readConnectorCall(query);
  }
  return queries;
}
