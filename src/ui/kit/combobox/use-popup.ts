import { type RefObject, useLayoutEffect } from 'react';

const gapPx = 4;
const edgePx = 8;
const heightMaxPx = 320;
const heightWantedPx = 220;
const widthMinPx = 220;

/** Keeps a popup on top of everything else and next to its control: below it, or above if there is more room. */
export function usePopup(
  open: boolean,
  control: RefObject<HTMLElement | null>,
  popup: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    const box = popup.current;
    const anchor = control.current;
    if (!open || box === null || anchor === null) return;
    // In the top layer, no card or dialog can clip it.
    box.popover = 'manual';
    box.showPopover?.();
    const place = () => placeBeside(box, anchor.getBoundingClientRect());
    place();
    const observer = new ResizeObserver(place);
    observer.observe(anchor);
    addEventListener('scroll', place, { capture: true, passive: true });
    addEventListener('resize', place);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', place, { capture: true });
      removeEventListener('resize', place);
    };
  }, [open, control, popup]);
}

function placeBeside(box: HTMLElement, anchor: DOMRect): void {
  // With an on-screen keyboard, the visible part is smaller than the window.
  const height = visualViewport?.height ?? innerHeight;
  const width = document.documentElement.clientWidth;
  const below = height - anchor.bottom - gapPx - edgePx;
  const above = anchor.top - gapPx - edgePx;
  const upwards = below < heightWantedPx && above > below;
  const boxWidth = Math.min(Math.max(anchor.width, widthMinPx), width - 2 * edgePx);
  Object.assign(box.style, {
    left: `${Math.max(edgePx, Math.min(anchor.left, width - edgePx - boxWidth))}px`,
    width: `${boxWidth}px`,
    maxHeight: `${Math.min(heightMaxPx, upwards ? above : below)}px`,
    top: upwards ? 'auto' : `${anchor.bottom + gapPx}px`,
    bottom: upwards ? `${innerHeight - anchor.top + gapPx}px` : 'auto',
  });
}
