import { AppError } from '../../base/errors.ts';
import { ConnectorError } from '../../drivers/driver.ts';
import { ExpressionError } from '../../language/expression/expression.ts';
import type { Answer, Input } from '../../threads/messages/calls.ts';
import type { WidgetKit } from '../widget-kit.ts';
import { optionPage } from './option-page.ts';

const OPTIONS_MAX = 1_000;

/** Which values an option source does not give; null where it has more than 1,000 options, or cannot say. */
export async function missingOptions(
  kit: WidgetKit,
  { values, ...input }: Input<'missing_options'>,
  signal: AbortSignal,
): Promise<Answer<'missing_options'>> {
  try {
    const asked = { ...input, q: null, cursor: null, limit: OPTIONS_MAX };
    const { options, next_cursor } = await optionPage(kit, asked, signal);
    if (next_cursor !== null) return { missing: null };
    const known = new Set(options.map(({ value }) => value));
    return { missing: values.filter((value) => !known.has(value)) };
  } catch (error) {
    signal.throwIfAborted();
    const expected =
      error instanceof ConnectorError || error instanceof ExpressionError || error instanceof AppError;
    if (!expected) throw error;
    return { missing: null };
  }
}
