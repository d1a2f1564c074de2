import { isRecord } from '../../base/json.ts';
import { readExpressionKey, readTemplate } from '../yaml/expression-reader.ts';
import { type MapReader, typeName } from '../yaml/map-reader.ts';
import { DASHBOARD_NAMES, DATA_NAMES } from '../yaml/scope-names.ts';
import type { ConnectorCall, WidgetBinding } from './dashboard.ts';

export const BINDING_KEYS = ['connector', 'method', 'args', 'transform_expr', 'shared_query', 'source'];

/** Where a call's arguments are worked out there is no data yet. */
export const CALL_NAMES: readonly string[] = DASHBOARD_NAMES;

/**
 * Reads `connector`, `method` and `args` of a map, whose expressions read `names`. Which connectors there are is known to the job
 * alone.
 */
export function readConnectorCall(reader: MapReader, names: readonly string[] = CALL_NAMES): ConnectorCall {
  const args = reader.value('args') ?? {};
  if (!isRecord(args) && !reader.check.isPlaceholder(args)) {
    reader.wrong('args', `"args" must be a map, not ${typeName(args)}`);
  }
  readTemplate(reader.check, args, reader.at('args'), names);
  return {
    connector: reader.name('connector', 'word', { required: true }) ?? '',
    method: reader.name('method', 'word', { required: true }) ?? '',
    args,
  };
}

/** Reads where a widget's data comes from: a connector call, a shared query, or a source of the job itself. */
export function readBinding(reader: MapReader, sharedQueries: readonly string[]): WidgetBinding {
  reader.atMostOne('connector', 'shared_query', 'source');
  if (!reader.has('connector')) {
    for (const key of ['method', 'args']) reader.idle(key, 'there is no "connector" beside it');
  }
  const transform_expr = readExpressionKey(reader, 'transform_expr', DATA_NAMES)?.source ?? null;
  if (reader.has('connector')) return { kind: 'call', call: readConnectorCall(reader), transform_expr };
  if (reader.has('shared_query')) {
    const name = reader.text('shared_query') ?? '';
    if (name !== '' && !reader.check.isPlaceholder(name) && !sharedQueries.includes(name)) {
      reader.wrong('shared_query', `shared_query "${name}" is not defined in shared_queries`);
    }
    return { kind: 'shared_query', name, transform_expr };
  }
  if (reader.has('source')) {
    const source = reader.oneOf('source', ['runs', 'job', 'config']) ?? 'runs';
    return { kind: 'source', source, transform_expr };
  }
  reader.idle('transform_expr', 'there is no "connector", "shared_query" or "source" beside it');
  return { kind: 'none' };
}
