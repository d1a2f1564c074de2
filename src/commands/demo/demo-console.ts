/** What the demo says: lines that stay, and one that changes in place where the output is a terminal. */
export interface DemoConsole {
  /** A line that stays. */
  line(text?: string): void;
  /** A line with a name in front, in columns. */
  item(name: string, text: string): void;
  /** What is happening now. In a terminal it replaces itself; elsewhere it is a line every five seconds, so that logs stay short. */
  live(text: string): void;
  readonly isTerminal: boolean;
}

/** The part of `process.stdout` that is needed. */
export interface DemoOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const NAME_WIDTH = 12;
const WIDTH_DEFAULT = 80;
const PLAIN_LINE_MS = 5_000;

export function createDemoConsole(output: DemoOutput): DemoConsole {
  const isTerminal = output.isTTY === true;
  let shown = false;
  let writtenAt = Date.now();
  const erase = () => {
    if (shown) output.write('\r\u001b[2K');
    shown = false;
  };
  const line = (text = '') => {
    erase();
    output.write(`${text}\n`);
    writtenAt = Date.now();
  };
  return {
    isTerminal,
    line,
    item: (name, text) => line(`  ${name.padEnd(NAME_WIDTH)}${text}`),
    live: (text) => {
      if (!isTerminal) {
        if (Date.now() - writtenAt >= PLAIN_LINE_MS) line(text);
        return;
      }
      erase();
      // A line that wraps cannot be erased.
      output.write(text.slice(0, (output.columns ?? WIDTH_DEFAULT) - 1));
      shown = true;
    },
  };
}
