import { evaluateKey, fieldOf, itemsOf, type PayloadInput, textOrNull } from './payload-input.ts';

const STEPS_MAX = 200;

export interface StepsPayload {
  readonly steps: readonly {
    readonly key: string;
    readonly label: string;
    /** Its own, or by its place: `done` before the current one, `running`, `pending` after it. */
    readonly state: string;
    readonly detail: string | null;
  }[];
}

export async function stepsPayload(input: PayloadInput): Promise<StepsPayload> {
  const listed = input.config['items'];
  const items = (Array.isArray(listed) ? listed : await itemsOf(input)).slice(0, STEPS_MAX);
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
