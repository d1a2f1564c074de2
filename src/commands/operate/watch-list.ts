import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandOutput } from '../kit/command-output.ts';
import { mayPass } from '../server/may-pass.ts';

const POLL_MS = 2_000;
/** Gives up on a server that does not answer for about two minutes. */
const FAILURES_IN_A_ROW_MAX = 60;
const CLEAR = '\u001b[H\u001b[2J';

/**
 * Shows a list, and shows it again whenever it has changed, until the command is interrupted: on a terminal in its place, elsewhere
 * below an empty line, with `--json` as a line of JSON. A server that is away for a while is waited for.
 */
export async function watchList(
  out: CommandOutput,
  show: (out: CommandOutput) => Promise<void>,
): Promise<never> {
  let shown: string | null = null;
  let told = '';
  for (let failures = 0; ; await sleep(POLL_MS)) {
    const page = pageOf(out);
    try {
      await show(page.out);
    } catch (error) {
      failures += 1;
      if (!mayPass(error) || shown === null || failures > FAILURES_IN_A_ROW_MAX) throw error;
      if (failures === 1) out.error(`${error.message}; this list may be outdated, retrying`);
      continue;
    }
    failures = 0;
    if (page.errors() !== told) {
      told = page.errors();
      if (told !== '') out.error(told);
    }
    const text = page.text();
    if (text === shown) continue;
    if (process.stdout.isTTY && !out.isJson) process.stdout.write(CLEAR);
    else if (shown !== null) out.line();
    process.stdout.write(text);
    shown = text;
  }
}

/** An output that keeps what it is given. */
function pageOf(out: CommandOutput) {
  let text = '';
  const errors: string[] = [];
  const page: CommandOutput = {
    ...out,
    line: (line = '') => {
      if (!out.isJson) text += `${line}\n`;
    },
    json: (value) => {
      text += `${JSON.stringify(value)}\n`;
    },
    error: (line) => void errors.push(line),
  };
  return { out: page, text: () => text, errors: () => errors.join('\n') };
}
