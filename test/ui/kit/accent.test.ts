import fc from 'fast-check';
import t from 'tap';
import { accentOf } from '../../../src/ui/kit/theme/accent.ts';

t.test('only hexadecimal colours are taken', async (t) => {
  for (const color of ['red', 'url(//x)', '#12', '#12345', 'red;background:url(//x)', '', null, undefined]) {
    t.equal(accentOf(color), null, String(color));
  }
  t.equal(accentOf('#07c'), accentOf('#0077cc'));
});

t.test('whatever the brand colour, text in it can be read on both themes', async () => {
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(channel, channel, channel, (r, g, b) => {
      const hex = `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
      const [light, dark] = [...(accentOf(hex) ?? '').matchAll(/rgb\((\d+) (\d+) (\d+)\)/g)].map((match) =>
        match.slice(1).map(Number),
      );
      return contrast(light ?? [], [255, 255, 255]) >= 4.5 && contrast(dark ?? [], [23, 28, 31]) >= 4.5;
    }),
  );
});

/** WCAG 2.2's definition, written apart from the code under test. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const luminance = (color: readonly number[]) => {
    const [r = 0, g = 0, b = 0] = color.map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
