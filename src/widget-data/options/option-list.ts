import { textOrNull } from '../../language/dashboard/widgets/payload-input.ts';
import type { Expression, Scope } from '../../language/expression/expression.ts';
import type { OptionsSource } from '../../language/template/options-source.ts';

/** A `WidgetOption`. */
export interface WidgetOption {
  readonly label: string;
  readonly value: string;
  readonly subText?: string;
}

/**
 * The options that rows give: through `transform_expr`, then one per item. An item without a value is none, and of several with the same
 * value the first stays. Throws `ExpressionError`.
 */
export async function optionsOf(
  { transform, label, value, subtext }: OptionsSource,
  rows: unknown,
  scope: Scope,
): Promise<readonly WidgetOption[]> {
  const data = transform === null ? rows : await evaluate(transform, { ...scope, data: rows });
  const options = new Map<string, WidgetOption>();
  for (const [index, item] of listOf(data).entries()) {
    const names = { ...scope, item, index };
    const text = textOrNull(await evaluate(value, names));
    if (text === null || options.has(text)) continue;
    const subText = subtext === null ? null : textOrNull(await evaluate(subtext, names));
    options.set(text, {
      label: textOrNull(await evaluate(label, names)) ?? text,
      value: text,
      ...(subText === null ? {} : { subText }),
    });
  }
  return [...options.values()];
}

/** Those whose label, value or subtext contains `q`, whatever its case. */
export function searchOptions(options: readonly WidgetOption[], q: string): readonly WidgetOption[] {
  const wanted = q.toLowerCase();
  return options.filter(({ label, value, subText = '' }) =>
    [label, value, subText].some((text) => text.toLowerCase().includes(wanted)),
  );
}

function evaluate(expression: Expression, scope: Scope): unknown {
  return expression.evaluateSync === null ? expression.evaluate(scope) : expression.evaluateSync(scope);
}

/** A single item is a list of one, as in JSONata; nothing is none. */
function listOf(data: unknown): readonly unknown[] {
  if (data === undefined || data === null) return [];
  return Array.isArray(data) ? data : [data];
}
