import { readFileSync } from 'node:fs';
import { isRecord } from '../../base/json.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { replaceFile } from '../kit/replace-file.ts';

interface Saved {
  readonly value: unknown;
  readonly version: number;
}

/** The cursors of incremental extracts, in place of a server's. */
export interface LocalState {
  read(name: string): Saved;
  /** `stored` false where another version is stored. */
  save(
    name: string,
    value: unknown,
    expectedVersion: number,
  ): { readonly version: number; readonly stored: boolean };
}

const NONE: Saved = { value: null, version: 0 };

/** Cursors in a JSON file, replaced whole with each change; without a file they are forgotten with the run. */
export function openLocalState(path: string | null): LocalState {
  const cursors = new Map<string, Saved>(path === null ? [] : readState(path));
  return {
    read: (name) => cursors.get(name) ?? NONE,
    save(name, value, expectedVersion) {
      const { version } = cursors.get(name) ?? NONE;
      if (version !== expectedVersion) return { version, stored: false };
      cursors.set(name, { value, version: version + 1 });
      if (path !== null) writeState(path, cursors);
      return { version: version + 1, stored: true };
    },
  };
}

function readState(path: string): [string, Saved][] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw new CommandError(EXIT.config, `The state file "${path}" cannot be read`, { cause: error });
  }
  const state = parsed(text);
  const cursors = isRecord(state) && isRecord(state['cursors']) ? Object.entries(state['cursors']) : null;
  const isWhole = cursors?.every(([, saved]) => isRecord(saved) && Number.isSafeInteger(saved['version']));
  if (cursors === null || isWhole !== true)
    throw new CommandError(
      EXIT.config,
      `The file "${path}" is not a run state file: choose another, or delete it`,
    );
  return cursors as [string, Saved][];
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return null;
  }
}

/** Whoever stops in between leaves the old state whole. */
function writeState(path: string, cursors: ReadonlyMap<string, Saved>): void {
  const text = JSON.stringify({ cursors: Object.fromEntries(cursors) }, null, 2);
  replaceFile(path, `${text}\n`, 0o600);
}
