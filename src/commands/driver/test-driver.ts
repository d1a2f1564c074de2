import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckResult } from '../../drivers/custom/conformance/check.ts';
import { runConformance } from '../../drivers/custom/conformance/run-conformance.ts';
import {
  DRIVER_INTERFACE_VERSION,
  driverPath,
  openDriverModule,
} from '../../drivers/custom/load-driver-file.ts';
import { CommandError } from '../kit/command-error.ts';
import { type CommandOutput, printable } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** After the report: what a driver has left open then keeps its process from ending. */
const LEFT_OPEN_MS = 5_000;

const MARKS = { passed: 'ok', failed: 'FAILED', skipped: '-' } as const;
const COLORS = { passed: 'green', failed: 'red', skipped: 'dim' } as const;

/** `headgate driver test`: a driver of one's own against the interface, with its own sample. Exit code 1 where a check fails. */
export async function testDriver(name: string, options: { readonly json: boolean }): Promise<number> {
  return perform(options, async (out) => {
    const path = driverPath(name, process.cwd());
    const { driver, module } = await openDriverModule(name, path);
    if (module.sample === undefined)
      throw new CommandError(
        EXIT.failed,
        `The driver "${name}" has no "sample", so nothing can be read or written`,
      );
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'headgate-driver-')));
    if (!out.isJson)
      out.line(`${driver.title} (${driver.type}), interface version ${DRIVER_INTERFACE_VERSION}`);
    try {
      const sample = await module.sample(folder);
      const context = { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: CONNECT_TIMEOUT_MS };
      const results = await runConformance(
        { driver, sample, context },
        { checked: (result) => tell(out, result) },
      );
      await sample.close?.();
      return report(out, driver.type, results);
    } finally {
      await rm(folder, { recursive: true, force: true });
      setTimeout(() => {
        out.error('The driver left a handle open, which keeps the process from exiting');
        process.exit(EXIT.failed);
      }, LEFT_OPEN_MS).unref();
    }
  });
}

function tell(out: CommandOutput, { status, name, message }: CheckResult): void {
  if (out.isJson) return;
  const mark = out.paint(COLORS[status], MARKS[status].padEnd(6));
  out.line(`${mark}  ${name}`);
  if (message !== '') out.line(`        ${printable(message)}`);
}

function report(out: CommandOutput, type: string, results: readonly CheckResult[]): number {
  const count = (status: CheckResult['status']) => results.filter((one) => one.status === status).length;
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  if (out.isJson) out.json({ ok: counts.failed === 0, type, ...counts, results });
  else out.line(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed === 0 ? EXIT.ok : EXIT.failed;
}
