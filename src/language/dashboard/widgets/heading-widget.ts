import { shown } from '../../declare/value.ts';
import { integer, oneOf, text } from '../../declare/values.ts';
import { widgetKind } from './widget-kind.ts';
import { LEVELS } from './widget-values.ts';

export const headingWidget = widgetKind({
  type: 'heading',
  words: 'The heading of a section, or a callout.',
  width: 12,
  bound: false,
  keys: {
    text: shown(text('The heading. Default: the title.')),
    level: shown(integer('Heading level, 1 is the highest.', { min: 1, max: 6 })),
    style: shown(oneOf('A section heading, or a callout of this level.', ['section', ...LEVELS])),
    body: shown(text('Markdown below the heading.')),
  },
  payload: () => null,
});
