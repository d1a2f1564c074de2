import { useState } from 'react';
import { isRow } from '../../records/row.ts';

/** Ids of saved connectors by a text's names for them. */
export type ChosenConnectors = Readonly<Record<string, number>>;

const prefix = 'headgate.connectors.';

/** The connectors with which a text is tried and completed; this machine remembers them for each text. */
export function useChosenConnectors(document: string) {
  const [chosen, setChosen] = useState(() => stored(document));
  return {
    chosen,
    choose(next: ChosenConnectors): void {
      keep(document, next);
      setChosen(next);
    },
  };
}

/** What was chosen for one document is chosen for another, too. */
export function passChosen(from: string, to: string): void {
  keep(to, stored(from));
  keep(from, {});
}

function keep(document: string, chosen: ChosenConnectors): void {
  try {
    if (Object.keys(chosen).length === 0) localStorage.removeItem(`${prefix}${document}`);
    else localStorage.setItem(`${prefix}${document}`, JSON.stringify(chosen));
  } catch {
    // Storage may be denied or full: then the choice is made again.
  }
}

function stored(document: string): ChosenConnectors {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`${prefix}${document}`) ?? '{}');
    if (!isRow(value)) return {};
    const ids = Object.entries(value).filter((entry): entry is [string, number] =>
      Number.isInteger(entry[1]),
    );
    return Object.fromEntries(ids);
  } catch {
    return {};
  }
}
