/** The height of a line, in pixels. */
export const rowPx = 22;
/** Firefox draws no element higher than 17.9 million pixels, and Chromium none above 33.5: beyond, one pixel scrolls more than one. */
export const heightPxMax = 16_000_000;

/** How the lines of a log lie in a list that can be as high as browsers allow. */
export interface LogScale {
  /** Of the list, in pixels. */
  readonly heightPx: number;
  /** How many pixels of lines one pixel of scrolling passes; 1 for all but very long logs. */
  readonly factor: number;
  /** Where the lines in view begin, in pixels of lines. */
  offsetOf(scrollTop: number): number;
  /** Where the list must be scrolled to for that. */
  scrollOf(offset: number): number;
}

/** `viewPx`: the height of the window onto the list. The first and the last line stay where the scroll bar begins and ends. */
export function logScale(count: number, viewPx: number): LogScale {
  const totalPx = count * rowPx;
  const heightPx = Math.min(totalPx, heightPxMax);
  const factor = totalPx === heightPx ? 1 : (totalPx - viewPx) / (heightPx - viewPx);
  return {
    heightPx,
    factor,
    offsetOf: (scrollTop) => scrollTop * factor,
    scrollOf: (offset) => offset / factor,
  };
}
