/** The number of columns, out of twelve, that a widget spans on a wide screen, a tablet and a phone. */
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
 * Fits the author's widths to narrower screens without gaps: on a tablet, narrow widgets pair up; on a phone, only stats do; the
 * odd one out spans the whole row.
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

/** Pairs neighbours that may be halves; one left alone spans the whole row. */
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
