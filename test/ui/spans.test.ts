import fc from 'fast-check';
import t from 'tap';
import { spansOf } from '../../src/ui/dashboard/spans.ts';

t.test('numbers pair up on a phone, halves on a tablet, and the odd one is whole', async (t) => {
  const stat = { type: 'stat', width: 4 };
  t.same(
    spansOf([stat, stat, stat, { type: 'table', width: 12 }]).map(({ wide, tablet, phone }) => [
      wide,
      tablet,
      phone,
    ]),
    [
      [4, 6, 6],
      [4, 6, 6],
      [4, 12, 12],
      [12, 12, 12],
    ],
  );
});

t.test('tablet and phone rows are always full, whatever the widths', async () => {
  const widget = fc.record({ type: fc.constantFrom('stat', 'table'), width: fc.double() });
  fc.assert(
    fc.property(fc.array(widget), (widgets) => {
      const spans = spansOf(widgets);
      const full = (list: readonly number[]) =>
        list.reduce((sum, span) => (sum + span > 12 ? 99 : (sum + span) % 12), 0) === 0;
      return (
        full(spans.map((span) => span.tablet)) &&
        full(spans.map((span) => span.phone)) &&
        spans.every((span) => span.wide >= 1 && span.wide <= 12)
      );
    }),
  );
});
