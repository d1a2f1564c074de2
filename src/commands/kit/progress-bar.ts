/** A progress line at the bottom of a terminal; other output appears above it. */
export interface ProgressBar {
  /** `total` null: not known, then there is the text alone. */
  update(value: number, total: number | null, text: string): void;
  /** A line that stays, above the bar. */
  line(text: string): void;
  stop(): void;
}

const FPS = 10;
const BAR_CHARS = 24;

/** On standard error: where that is no terminal, the lines alone. */
export async function createProgressBar(isShown: boolean): Promise<ProgressBar> {
  if (!isShown || process.stderr.isTTY !== true) {
    const line = (text: string) => void process.stderr.write(`${text}\n`);
    return { update: () => undefined, line, stop: () => undefined };
  }
  const { MultiBar } = await import('cli-progress');
  const bars = new MultiBar({
    stream: process.stderr,
    fps: FPS,
    clearOnComplete: true,
    hideCursor: true,
    linewrap: null,
    // A signal is the command's own matter.
    gracefulExit: false,
    format: (_, { progress }, payload: { readonly text: string; readonly isKnown: boolean }) =>
      payload.isKnown ? `${barOf(progress)} ${payload.text}` : payload.text,
  });
  const bar = bars.create(1, 0, { text: '', isKnown: false });
  return {
    update(value, total, text) {
      bar.setTotal(Math.max(1, total ?? 1));
      bar.update(Math.min(value, total ?? 0), { text, isKnown: total !== null });
    },
    line: (text) => bars.log(`${text}\n`),
    stop() {
      // Lines wait for the next drawing, which there would be none of.
      bars.update();
      bars.stop();
    },
  };
}

function barOf(ratio: number): string {
  const full = Math.round(ratio * BAR_CHARS);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_CHARS - full)} ${Math.floor(ratio * 100)} %`;
}
