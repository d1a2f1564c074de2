export interface TipRow {
  readonly label: string;
  readonly value: string;
  readonly color: string;
}

/** A tooltip as elements: strings stay text, and the look comes from the style sheet. */
export function chartTip(title: string, rows: readonly TipRow[]): HTMLElement {
  const tip = element('div', 'tip');
  if (title !== '') tip.append(element('p', 'tip-title', title));
  for (const row of rows) {
    const line = element('p', 'tip-row');
    const mark = element('span', 'swatch');
    mark.style.backgroundColor = row.color;
    line.append(mark, element('span', 'tip-label', row.label), element('span', 'tip-value', row.value));
    tip.append(line);
  }
  return tip;
}

function element(name: string, className: string, text?: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
