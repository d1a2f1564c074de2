import t from 'tap';
import { heightPxMax, logScale, rowPx } from '../../../src/ui/screens/runs/log/log-scale.ts';

const viewPx = 500;

t.test(
  'a log of any length fits into a list that every browser draws, from its first to its last line',
  async (t) => {
    for (const count of [0, 1, 700_000, 813_000, 1_000_000, 50_000_000]) {
      const { heightPx, offsetOf, scrollOf } = logScale(count, viewPx);
      t.ok(heightPx <= heightPxMax, `${count}`);
      t.equal(offsetOf(0), 0);
      if (count < 100) continue;
      const last = count * rowPx - viewPx;
      t.ok(Math.abs(offsetOf(heightPx - viewPx) - last) < 0.01, 'the end of the scroll bar is the last line');
      for (const part of [0.1, 0.5, 0.999])
        t.ok(Math.abs(offsetOf(scrollOf(last * part)) - last * part) < 0.01);
    }
    t.equal(logScale(700_000, viewPx).factor, 1, 'one pixel is one, as long as it can be');
  },
);
