/** The page's colours for use on a canvas: resolved for the current theme. */
export interface ChartColors {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly surface: string;
  readonly font: string;
  /** Resolves the name of a custom property; other colours are returned unchanged. */
  of(color: string): string;
}

/** Reads the colours from the style sheet through an element, since `light-dark()` is resolved only on use. */
export function readChartColors(host: HTMLElement): ChartColors {
  const probe = document.createElement('span');
  probe.hidden = true;
  host.append(probe);
  const resolve = (color: string): string => {
    if (!color.startsWith('--')) return color;
    probe.style.color = `var(${color})`;
    return getComputedStyle(probe).color;
  };
  const names = [
    '--text',
    '--muted',
    '--line',
    '--surface',
    ...Array.from({ length: 8 }, (_, at) => `--chart-${at + 1}`),
  ];
  const resolved = new Map(names.map((name) => [name, resolve(name)]));
  const font = getComputedStyle(host).fontFamily;
  probe.remove();
  const of = (color: string): string => resolved.get(color) ?? color;
  return { text: of('--text'), muted: of('--muted'), line: of('--line'), surface: of('--surface'), font, of };
}
