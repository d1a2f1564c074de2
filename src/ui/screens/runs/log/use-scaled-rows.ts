import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { logScale, rowPx } from './log-scale.ts';

/** Lines that are drawn before and after those in view. */
const overscan = 20;

/** The lines that are drawn, and where. */
export interface ScaledRows {
  readonly heightPx: number;
  /** The indexes of the lines that are drawn, in order. */
  readonly indexes: readonly number[];
  /** Where a line is drawn in the list, in pixels. */
  topOf(index: number): number;
  /** `end`: as the last in view; `auto`: no further than it must be to be in view. */
  scrollTo(index: number, align: 'end' | 'auto'): void;
  /** For the list's `onScroll`. Whether it went backward. */
  scrolled(): boolean;
}

/** Draws only what is in view of a list of lines of one height, of any length: see `logScale`. */
export function useScaledRows(scroller: RefObject<HTMLDivElement | null>, count: number): ScaledRows {
  const [{ top, viewPx }, setBox] = useState({ top: 0, viewPx: 0 });
  const read = () => {
    const box = scroller.current;
    if (box !== null) setBox({ top: box.scrollTop, viewPx: box.clientHeight });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is the same as long as the list is there
  useLayoutEffect(() => {
    if (scroller.current === null) return;
    const sizes = new ResizeObserver(read);
    sizes.observe(scroller.current);
    read();
    return () => sizes.disconnect();
  }, []);
  const scale = logScale(count, viewPx);
  const offset = scale.offsetOf(top);
  const shown = useRef({ factor: scale.factor, offset });
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { factor: scale.factor, offset };
    // A log that grows stays at the lines in view.
    if (before.factor === scale.factor || scroller.current === null) return;
    scroller.current.scrollTop = scale.scrollOf(before.offset);
  });
  return {
    heightPx: scale.heightPx,
    indexes: between(
      Math.max(0, Math.floor(offset / rowPx) - overscan),
      Math.min(count, Math.ceil((offset + viewPx) / rowPx) + overscan + 1),
    ),
    topOf: (index) => (scale.factor === 1 ? index * rowPx : top + index * rowPx - offset),
    scrollTo(index, align) {
      const box = scroller.current;
      if (box === null) return;
      const now = logScale(count, box.clientHeight);
      const from = now.offsetOf(box.scrollTop);
      const last = (index + 1) * rowPx - box.clientHeight;
      const isAbove = align === 'auto' && index * rowPx < from;
      const isBelow = align === 'end' || last > from;
      if (isAbove || isBelow) box.scrollTop = now.scrollOf(isAbove ? index * rowPx : last);
    },
    scrolled() {
      const before = top;
      flushSync(read);
      return (scroller.current?.scrollTop ?? before) < before;
    },
  };
}

/** The whole numbers from `first` up to `end`, which is left out. */
function between(first: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
}
