import { isRecord } from '../../base/json.ts';
import { connector, method } from '../declare/connector-call.ts';
import { fittingCall } from '../declare/connector-fit.ts';
import { expression } from '../declare/expressions.ts';
import { has, is, when, without } from '../declare/json-schema.ts';
import { map, submap } from '../declare/map.ts';
import { alwaysIdle, type Rule } from '../declare/rules.ts';
import { shown, special } from '../declare/value.ts';
import { flag, names, text } from '../declare/values.ts';
import type { Expression } from '../expression/expression.ts';
import { NO_EXPRESSION, readTemplate } from '../yaml/expression-reader.ts';
import { typeName } from '../yaml/map-reader.ts';

/** Choices that a connector gives. */
export type OptionsSource = ReturnType<typeof withLabel>;

const WHO_SEARCHES: Rule = {
  check: (reader) => {
    if (reader.value('on_frontend') === true)
      reader.idle('param', 'with "on_frontend: true" the page filters, not the server');
    else if (!reader.has('param')) reader.wrong('param', '"param" is required unless "on_frontend" is true');
  },
  schemas: () => [when(is('on_frontend', true), without('param'), has('param'))],
};

const SEARCH = map(
  'How the options are searched.',
  {
    param: text('The argument that receives the search text: its name, or a dotted path into `args`.'),
    on_frontend: shown(
      flag('Whether the page filters the options itself instead of querying the connector.'),
    ),
  },
  { rules: [WHO_SEARCHES], make: ({ param, on_frontend }) => ({ param, onFrontend: on_frontend }) },
);

/** `label_expr` or `value_expr` may stand beside the source in place of in it: these keys of it are then given here. */
export type Outside = 'label_expr' | 'value_expr';

/** The map of an option source where the keys of `outside` stand beside it. */
export function optionsSourceMap(outside: readonly Outside[]) {
  return map(
    'Options fetched page by page from a connector method.',
    {
      connector,
      method: method({ required: true }),
      args: special(
        'Arguments of the method; texts may hold `{{ expression }}`.',
        { type: 'object' },
        (reader, key) => {
          const args = reader.value(key) ?? {};
          if (!isRecord(args)) reader.wrong(key, `"${key}" must be a map, not ${typeName(args)}`);
          readTemplate(reader.check, args, reader.at(key), null);
          return args;
        },
      ),
      label_expr: expression('The label of an `item`. Default: its value.', null),
      value_expr: expression('The value that is stored for an `item`.', null, {
        required: !outside.includes('value_expr') as boolean,
      }),
      subtext_expr: expression('A second line below the label of an `item`.', null),
      transform_expr: expression('Converts the method’s result, `data`, into the list of items.', null),
      depends_on: names('Fields, or configuration entries, used by the arguments.', {
        default: [],
      }),
      search: submap(SEARCH),
    },
    {
      rules: [
        fittingCall('an option source', ['rows', 'value']),
        ...(outside.length === 0 ? [] : [alwaysIdle(outside, 'it is already set beside "options_source"')]),
      ],
      make: ({ label_expr, value_expr, subtext_expr, transform_expr, depends_on, ...rest }) => ({
        ...rest,
        label: label_expr,
        value: value_expr,
        subtext: subtext_expr,
        transform: transform_expr,
        dependsOn: depends_on,
      }),
    },
  );
}

export const OPTIONS_SOURCE = optionsSourceMap([]);

/** The source with the label and the value that stand beside it; without a label, the value is shown. */
export function withLabel(
  { label, value, ...source }: ReturnType<(typeof OPTIONS_SOURCE)['from']>,
  outside: Partial<Record<Outside, Expression | null>> = {},
) {
  const stored = outside.value_expr ?? value ?? NO_EXPRESSION;
  return { ...source, value: stored, label: outside.label_expr ?? label ?? stored };
}
