import type { Expression } from '../expression/expression.ts';
import { NO_EXPRESSION, readExpressionKey, readTemplate } from '../yaml/expression-reader.ts';
import { type MapReader, typeName } from '../yaml/map-reader.ts';
import { didYouMean } from '../yaml/suggest-name.ts';
import type { OptionsSource } from './job-config.ts';

/** What an option source's document is read against. */
export interface OptionsContext {
  /** Connectors that may be named; null where they are not known here. */
  readonly connectors: readonly string[] | null;
}

/** The label and value that stand beside an option source instead of in it. */
export interface OutsideExpressions {
  readonly label: Expression | null;
  readonly value: Expression | null;
}

/**
 * Reads `options_source {connector, method, args, label_expr (default: the value), value_expr, subtext_expr, transform_expr,
 * depends_on, search {param | on_frontend}}`; null where the key is absent.
 */
export function readOptionsSource(
  reader: MapReader,
  context: OptionsContext,
  outside: OutsideExpressions | null = null,
): OptionsSource | null {
  const source = reader.submap('options_source', {
    keys: [
      'connector',
      'method',
      'args',
      'label_expr',
      'value_expr',
      'subtext_expr',
      'transform_expr',
      'depends_on',
      'search',
    ],
  });
  if (source === null) return null;
  if (outside?.label) source.idle('label_expr', 'it stands beside "options_source" already');
  if (outside?.value) source.idle('value_expr', 'it stands beside "options_source" already');
  const args = source.value('args') ?? {};
  if (typeof args !== 'object' || Array.isArray(args))
    source.wrong('args', `"args" must be a map, not ${typeName(args)}`);
  readTemplate(source.check, args, source.at('args'), null);
  const value =
    outside?.value ?? readExpressionKey(source, 'value_expr', null, { required: true }) ?? NO_EXPRESSION;
  return {
    connector: readConnectorName(source, context),
    method: source.name('method', 'word', { required: true }) ?? '',
    args,
    label: outside?.label ?? readExpressionKey(source, 'label_expr', null) ?? value,
    value,
    subtext: readExpressionKey(source, 'subtext_expr', null),
    transform: readExpressionKey(source, 'transform_expr', null),
    dependsOn: source.names('depends_on') ?? [],
    search: readSearch(source),
  };
}

function readConnectorName(reader: MapReader, { connectors }: OptionsContext): string {
  const name = reader.text('connector', { required: true });
  if (name !== null && connectors !== null && !connectors.includes(name)) {
    const hint = didYouMean(name, connectors) || '; declare it under "connectors"';
    reader.wrong('connector', `There is no connector "${name}"${hint}`);
  }
  return name ?? '';
}

function readSearch(reader: MapReader): OptionsSource['search'] {
  const search = reader.submap('search', { keys: ['param', 'on_frontend'] });
  if (search === null) return null;
  const onFrontend = search.flag('on_frontend');
  if (onFrontend) search.idle('param', 'with "on_frontend: true" the server does not search');
  const param = search.text('param');
  if (!onFrontend && param === null)
    search.wrong('param', '"param" is required unless "on_frontend" is true');
  return { param, onFrontend };
}
