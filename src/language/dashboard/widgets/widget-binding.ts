import { callArgs, method } from '../../declare/connector-call.ts';
import { fittingCall } from '../../declare/connector-fit.ts';
import { expression } from '../../declare/expressions.ts';
import { has, when, without } from '../../declare/json-schema.ts';
import { map } from '../../declare/map.ts';
import { atMostOne, onlyBeside, type Rule } from '../../declare/rules.ts';
import type { ValuesOf } from '../../declare/value.ts';
import { name, oneOf, reference } from '../../declare/values.ts';
import type { MapReader } from '../../yaml/map-reader.ts';
import { DATA_NAMES, VIEW_NAMES } from '../../yaml/scope-names.ts';
import { VIEWERS_GIVE_VALUES } from './viewers-give-values.ts';
import { CONNECTOR_OF_TEMPLATE } from './widget-fit.ts';

export interface ConnectorCall {
  readonly connector: string;
  readonly method: string;
  readonly args: unknown;
}

/** Where a widget's `data` comes from, before its own expressions. */
export type WidgetBinding =
  | { readonly kind: 'none' }
  | { readonly kind: 'call'; readonly call: ConnectorCall; readonly transform_expr: string | null }
  | { readonly kind: 'shared_query'; readonly name: string; readonly transform_expr: string | null }
  | {
      readonly kind: 'source';
      readonly source: 'runs' | 'job' | 'config';
      readonly transform_expr: string | null;
    };

const SOURCES = ['connector', 'shared_query', 'source'] as const;

/** The keys with which a widget, a shared query or an action calls a connector; `required` where it does nothing else. */
export function callKeys<const R extends boolean>(
  words: { readonly connector: string; readonly args: string },
  names: readonly string[],
  required: R,
) {
  return {
    connector: name(words.connector, 'word', { required }),
    method: method({ required }),
    args: callArgs(words.args, names),
  };
}

const CALL_IS_WHOLE: Rule = {
  check: (reader) => {
    if (!reader.has('connector'))
      for (const key of ['method', 'args']) reader.idle(key, 'there is no "connector" beside it');
    else if (!reader.has('method')) reader.wrong('method', '"method" is required');
  },
  schemas: () => [when(has('connector'), has('method'), without('method', 'args'))],
};

export const BINDING_KEYS = {
  ...callKeys(
    {
      connector: 'A connector of the job: `data` is the result of its `method`.',
      args: 'Arguments of the method; texts may hold `{{ expression }}`.',
    },
    VIEW_NAMES,
    false,
  ),
  transform_expr: expression(
    'Converts the result, `data`, into the `data` of the other expressions.',
    DATA_NAMES,
  ),
  shared_query: reference('One of `shared_queries`: `data` is its result.', 'shared_queries'),
  source: oneOf(
    'Built-in data: the latest runs of the job, the job itself, or its configuration, as `data`.',
    ['runs', 'job', 'config'],
  ),
};

export type BindingValues = ValuesOf<typeof BINDING_KEYS>;

/** A call that gives data: no method that writes. */
const READ_CALL = [VIEWERS_GIVE_VALUES, CONNECTOR_OF_TEMPLATE, fittingCall('a widget', ['rows', 'value'])];

export const BINDING_RULES: readonly Rule[] = [
  atMostOne(...SOURCES),
  CALL_IS_WHOLE,
  ...READ_CALL,
  onlyBeside(['transform_expr'], SOURCES),
];

export function bindingOf(reader: MapReader, values: BindingValues): WidgetBinding {
  const transform_expr = values.transform_expr?.source ?? null;
  const { shared_query, source } = values;
  if (reader.has('connector')) return { kind: 'call', call: callOf(values), transform_expr };
  if (shared_query !== null) return { kind: 'shared_query', name: shared_query, transform_expr };
  return source === null ? { kind: 'none' } : { kind: 'source', source, transform_expr };
}

/** A connector call of a dashboard on its own, as in `shared_queries`. */
export const CONNECTOR_CALL = map(
  'A connector call.',
  callKeys(
    {
      connector: 'A connector of the job.',
      args: 'Arguments of the method; texts may hold `{{ expression }}`.',
    },
    VIEW_NAMES,
    true,
  ),
  { make: callOf, rules: READ_CALL },
);

function callOf({
  connector,
  method,
  args,
}: Pick<BindingValues, 'connector' | 'method' | 'args'>): ConnectorCall {
  return { connector: connector ?? '', method: method ?? '', args: args.source };
}
