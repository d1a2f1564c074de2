import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '../base/json.ts';
import type { RunOutcome } from '../base/run-report.ts';
import type { RunnerChild } from '../executor/runner/runner-child.ts';
import { CommandError } from './kit/command-error.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { exitCodeOf, type RunOptions, run } from './run.ts';

export interface VerifyOptions extends RunOptions {
  readonly key?: string;
  readonly columns?: string;
  readonly filter?: string;
  readonly sample?: number;
  readonly surplus?: string;
  readonly list?: number;
  readonly onDifference: string;
  /** Of a task: its load, where there are several. */
  readonly step?: string;
}

/**
 * `headgate verify`: compares two tables, or what a task's load has written with what its extract reads, by a task of one step. Exit code
 * 0 for equal, 3 for different.
 */
export async function verify(
  source: string,
  target: string | undefined,
  options: VerifyOptions,
  runner: RunnerChild,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-verify-'));
  try {
    const file = join(folder, 'verify.yaml');
    let document: object | null = null;
    const prepared = await perform(options, async () => {
      document = await documentOf(source, target, options);
      return EXIT.ok;
    });
    if (document === null) {
      runner.kill();
      await runner.gone;
      return prepared;
    }
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(document), { mode: 0o600 });
    return await run(file, options, runner, exitCode);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function exitCode(outcome: RunOutcome): number {
  const differs = outcome.steps.some(({ verification }) => verification?.equal === false);
  return differs && outcome.status !== 'cancelled' ? EXIT.changes : exitCodeOf(outcome);
}

async function documentOf(
  source: string,
  target: string | undefined,
  options: VerifyOptions,
): Promise<object> {
  const asked = askedOf(options);
  if (target === undefined) {
    const { verifiedTask } = await import('./verify/verified-task.ts');
    return verifiedTask(source, options.step ?? null, asked);
  }
  if (options.step !== undefined) throw new CommandError(EXIT.usage, '--step needs the file of a task');
  if (asked['key'] === undefined)
    throw new CommandError(
      EXIT.usage,
      '--key is required: the columns that identify a row, such as --key id',
    );
  const { connectorTypes } = await import('./verify/connector-types.ts');
  const sides = { source: sideOf(source), target: sideOf(target) };
  const names = [...new Set([sides.source.connector, sides.target.connector])];
  return {
    version: 1,
    name: 'verify',
    connectors: await connectorTypes(names, options),
    steps: [{ id: 'verify', kind: 'verify', ...sides, ...asked }],
  };
}

/** `connector.object`. */
function sideOf(text: string): { readonly connector: string; readonly object: string } {
  const at = text.indexOf('.');
  if (at > 0 && at < text.length - 1) return { connector: text.slice(0, at), object: text.slice(at + 1) };
  throw new CommandError(
    EXIT.usage,
    `"${text}" must be written as connector.object, such as warehouse.orders, or be the only argument and the file of a task`,
  );
}

/** The keys of the step that options give. */
function askedOf(options: VerifyOptions): Readonly<Record<string, unknown>> {
  const { key, columns, filter, sample, surplus, list, onDifference } = options;
  return {
    ...(key === undefined ? {} : { key: namesOf(key) }),
    ...(columns === undefined ? {} : { columns: namesOf(columns) }),
    ...(filter === undefined ? {} : { filter: conditionsOf(filter) }),
    ...(sample === undefined ? {} : { sample }),
    ...(surplus === undefined ? {} : { surplus }),
    ...(list === undefined ? {} : { differences_max: list }),
    on_difference: onDifference,
  };
}

/** `id,day`, or `id=order_id` where the target names it otherwise. */
function namesOf(text: string): readonly string[] | Readonly<Record<string, string>> {
  const names = text.split(',').map((name) => name.trim());
  if (!names.some((name) => name.includes('='))) return names;
  return Object.fromEntries(
    names.map((name) => {
      const [left = '', right = left] = name.split('=');
      return [left, right];
    }),
  );
}

function conditionsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Told below.
  }
  throw new CommandError(
    EXIT.usage,
    `--filter must be a JSON object, such as '{"day": {"gte": "2026-01-01"}}'`,
  );
}
