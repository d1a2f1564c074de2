/** How many of the twelve columns a widget takes on a wide screen, a tablet and a phone. */
export interface Spans {
  readonly wide: number;
  readonly tablet: number;
  readonly phone: number;
}

const columns = 12;
const half = 6;

interface Sized {
  readonly type: string;
  readonly width: number;
}

/**
 * Fits the author's widths to narrower screens: rows stay rows, halves stand side by side, numbers pair up even on
 * a phone, and the odd one out takes the whole line, so that no screen has holes.
 */
export function spansOf(widgets: readonly Sized[]): readonly Spans[] {
  const wide = widgets.map((widget) => Math.min(Math.max(Math.round(widget.width) || columns, 1), columns));
  const tablet = pairUp(wide.map((width) => width <= half));
  const phone = pairUp(widgets.map((widget, at) => widget.type === 'stat' && (wide[at] ?? columns) <= half));
  return wide.map((width, at) => ({
    wide: width,
    tablet: tablet[at] ?? columns,
    phone: phone[at] ?? columns,
  }));
}

/** Neighbours that may be halves are paired; one left alone is whole. */
function pairUp(mayBeHalf: readonly boolean[]): readonly number[] {
  const spans = mayBeHalf.map(() => columns);
  for (let at = 0; at + 1 < spans.length; at += 1) {
    if (mayBeHalf[at] && mayBeHalf[at + 1]) {
      spans[at] = half;
      spans[at + 1] = half;
      at += 1;
    }
  }
  return spans;
}
