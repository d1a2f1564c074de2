import { listOf, map } from '../../declare/map.ts';
import { atMostOne } from '../../declare/rules.ts';
import { field, text } from '../../declare/values.ts';
import { evaluateKey, fieldOf, itemsOf, type PayloadInput, textOrNull } from './payload-input.ts';
import { widgetKind } from './widget-kind.ts';
import { ITEMS_MAX, overData } from './widget-values.ts';

interface StepsPayload {
  readonly steps: readonly {
    readonly key: string;
    readonly label: string;
    /** Its own, or by its place: `done` before the current one, `running`, `pending` after it. */
    readonly state: string;
    readonly detail: string | null;
  }[];
}

const STEP = map('A step.', {
  key: field('Name of the step, as returned by `current_expr`.', { required: true }),
  label: text('The label. Default: the key.'),
  state: text(
    'The state, such as done, running, pending or error. Default: by its position before or after the current step.',
  ),
  detail: text('Text below the label.'),
});

export const stepsWidget = widgetKind({
  type: 'steps',
  words: 'A process in steps, listed here or taken from the data.',
  width: 12,
  bound: true,
  keys: {
    items: listOf('The steps.', STEP, { max: ITEMS_MAX }),
    items_expr: overData('The list of steps, with the same keys. Default: the data itself.'),
    current_expr: overData('The key of the current step.'),
  },
  rules: [atMostOne('items', 'items_expr')],
  payload: stepsPayload,
});

async function stepsPayload(input: PayloadInput): Promise<StepsPayload> {
  const listed = input.config['items'];
  const items = (Array.isArray(listed) ? listed : await itemsOf(input)).slice(0, ITEMS_MAX);
  const keys = items.map((item, index) => textOrNull(fieldOf(item, 'key') ?? item) ?? String(index));
  const current = textOrNull(await evaluateKey(input, 'current_expr'));
  const place = current === null ? -1 : keys.indexOf(current);
  return {
    steps: items.map((item, index) => {
      const key = keys[index] ?? String(index);
      return {
        key,
        label: textOrNull(fieldOf(item, 'label')) ?? key,
        state: textOrNull(fieldOf(item, 'state')) ?? stateAt(index, place),
        detail: textOrNull(fieldOf(item, 'detail')),
      };
    }),
  };
}

function stateAt(index: number, current: number): string {
  if (current < 0 || index > current) return 'pending';
  return index === current ? 'running' : 'done';
}
