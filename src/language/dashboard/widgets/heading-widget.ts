import { anInteger, aText, LEVELS, oneOf, type WidgetKind } from './widget-kind.ts';

/** A section's label, or a callout. */
export const headingWidget: WidgetKind = {
  width: 12,
  bound: false,
  keys: { text: aText, level: anInteger(1, 6), style: oneOf('section', ...LEVELS), body: aText },
  publicKeys: { text: true, level: true, style: true, body: true },
};
