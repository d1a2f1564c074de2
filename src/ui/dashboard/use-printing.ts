import { useEffect, useState } from 'react';

const eventName = 'headgate-print';
const lookEveryMs = 100;
/** What has not been answered by then is printed as it is. */
const readyMsMax = 15_000;
/** Charts are drawn after their data, with a short movement. */
const drawnMs = 600;

/** Prints the dashboard of this page with all of its tabs. */
export function printDashboard(): void {
  dispatchEvent(new Event(eventName));
}

/**
 * Whether all tabs are on the page, because they are about to be printed: from `printDashboard`, or with several tabs the browser's own
 * keys, until the print is done. A print from the browser's menu cannot wait for data: it has the open tab.
 */
export function usePrinting(isTabbed: boolean): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => setPrinting(true);
    const end = () => setPrinting(false);
    const press = (event: KeyboardEvent) => {
      if (!isTabbed || event.key.toLowerCase() !== 'p' || event.shiftKey || event.altKey) return;
      if (event.ctrlKey === event.metaKey) return;
      event.preventDefault();
      begin();
    };
    addEventListener(eventName, begin);
    addEventListener('afterprint', end);
    addEventListener('keydown', press);
    return () => {
      removeEventListener(eventName, begin);
      removeEventListener('afterprint', end);
      removeEventListener('keydown', press);
    };
  }, [isTabbed]);
  useEffect(() => {
    if (!isPrinting) return undefined;
    const end = Date.now() + readyMsMax;
    let timer = setTimeout(look, lookEveryMs);
    function look(): void {
      const isReady = document.querySelector('#page :is(.skeleton, [aria-busy="true"])') === null;
      if (isReady || Date.now() > end) timer = setTimeout(() => window.print(), drawnMs);
      else timer = setTimeout(look, lookEveryMs);
    }
    return () => clearTimeout(timer);
  }, [isPrinting]);
  return isPrinting;
}
