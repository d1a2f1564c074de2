import type { Words } from '../../words-context.ts';
import { inputs } from './inputs.ts';
import { widgets } from './widgets.ts';

/** German on a page that has no catalogue of its own. */
export const words: Words = { widgets, inputs };
