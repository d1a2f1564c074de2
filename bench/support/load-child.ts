/** The process of some simulated executors; its parent is `LoadFleet`. */
import { LoadExecutor } from './load-executor.ts';
import type { LoadFigures, LoadSettings } from './load-settings.ts';

const FIGURES_MS = 500;

export type LoadOrder =
  | { readonly kind: 'start'; readonly settings: readonly LoadSettings[] }
  | { readonly kind: 'stop' };

function sumOf(figures: readonly LoadFigures[]): LoadFigures {
  const sum = (pick: (figure: LoadFigures) => number) =>
    figures.reduce((total, figure) => total + pick(figure), 0);
  return {
    lines: sum((figure) => figure.lines),
    points: sum((figure) => figure.points),
    completed: sum((figure) => figure.completed),
    ackMs: figures.flatMap((figure) => figure.ackMs),
  };
}

const executors: LoadExecutor[] = [];

async function start(settings: readonly LoadSettings[]): Promise<void> {
  executors.push(...settings.map((each) => new LoadExecutor(each)));
  const report = () => process.send?.(sumOf(executors.map((executor) => executor.figures)));
  const timer = setInterval(report, FIGURES_MS);
  await Promise.all(executors.map((executor) => executor.run()));
  clearInterval(timer);
  report();
  process.disconnect();
}

process.on('message', (order: LoadOrder) => {
  if (order.kind === 'start') void start(order.settings);
  else for (const executor of executors) executor.stop();
});
// Whoever loses its parent ends: nobody would stop it.
process.on('disconnect', () => process.exit());
