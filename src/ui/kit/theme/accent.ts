type Rgb = readonly [number, number, number];

const lightSurface: Rgb = [255, 255, 255];
const darkSurface: Rgb = [23, 28, 31];
/** WCAG 2.2, 1.4.3: text against its background. */
const contrastMin = 4.5;
const mixStep = 0.06;

/**
 * A brand colour as a CSS colour for both themes, darkened or lightened only as far as readable text requires;
 * null for anything but `#rgb` and `#rrggbb`.
 */
export function accentOf(color: string | null | undefined): string | null {
  const rgb = parseHex(color ?? '');
  if (rgb === null) return null;
  return `light-dark(${readable(rgb, lightSurface)}, ${readable(rgb, darkSurface)})`;
}

function parseHex(color: string): Rgb | null {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color);
  const full = short
    ? `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`
    : color;
  const match = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(full);
  if (match === null) return null;
  return [
    Number.parseInt(match[1] ?? '', 16),
    Number.parseInt(match[2] ?? '', 16),
    Number.parseInt(match[3] ?? '', 16),
  ];
}

function readable(color: Rgb, surface: Rgb): string {
  const target: Rgb = luminance(surface) > 0.5 ? [0, 0, 0] : [255, 255, 255];
  let mixed = color;
  for (let share = 0; share <= 1 && contrast(mixed, surface) < contrastMin; share += mixStep) {
    mixed = [
      mix(color[0], target[0], share),
      mix(color[1], target[1], share),
      mix(color[2], target[2], share),
    ];
  }
  return `rgb(${mixed.join(' ')})`;
}

function mix(from: number, to: number, share: number): number {
  return Math.round(from + (to - from) * share);
}

/** WCAG's contrast ratio, 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}
