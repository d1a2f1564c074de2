import type { Option } from '../../api/widget-calls.ts';

/** The options whose label, value or second line contains the text, ignoring case; those that start with it come first. */
export function filterOptions(options: readonly Option[], text: string): readonly Option[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return options;
  const found = options.filter((option) =>
    `${option.label}\n${option.value}\n${option.subText ?? ''}`.toLocaleLowerCase().includes(wanted),
  );
  const begins = (option: Option) => Number(option.label.toLocaleLowerCase().startsWith(wanted));
  return found.sort((one, other) => begins(other) - begins(one));
}

/** Appends a page of options; duplicates of earlier options are dropped. */
export function joinOptions(known: readonly Option[], more: readonly Option[]): readonly Option[] {
  const values = new Set(known.map((option) => option.value));
  return [...known, ...more.filter((option) => !values.has(option.value) && values.add(option.value))];
}

const pageStep = 10;

/** The active option after a key press in an open list, -1 for none; null if the key does not move it. The ends do not wrap. */
export function activeAfter(key: string, active: number, count: number): number | null {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(active + 1, last);
    case 'ArrowUp':
      return active < 0 ? last : Math.max(active - 1, 0);
    case 'Home':
      return Math.min(0, last);
    case 'End':
      return last;
    case 'PageDown':
      return Math.min(active + pageStep, last);
    case 'PageUp':
      return Math.max(Math.min(active, last) - pageStep, Math.min(0, last));
    default:
      return null;
  }
}
