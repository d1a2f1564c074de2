import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { variableNamed } from '../../config.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { replaceFile } from '../kit/replace-file.ts';

/** The server that commands talk to where nothing else is said, and the key that they send it. */
export interface SavedLogin {
  readonly server: string;
  readonly token: string;
}

/** Source of the place: XDG Base Directory Specification. */
export function loginFile(): string {
  return join(variableNamed('XDG_CONFIG_HOME') || join(homedir(), '.config'), 'headgate', 'login.json');
}

/** Null where nobody has logged in. Throws `CommandError` where the file is none of Headgate's. */
export function readSavedLogin(): SavedLogin | null {
  const text = textOf(loginFile());
  if (text === null) return null;
  const saved = parsed(text);
  if (!isRecord(saved) || typeof saved['server'] !== 'string' || typeof saved['token'] !== 'string')
    throw new CommandError(
      EXIT.config,
      `"${loginFile()}" is not a valid login file: remove it, or log in again`,
    );
  return { server: saved['server'], token: saved['token'] };
}

/** Only its owner can read it. Returns the file. */
export function saveLogin(login: SavedLogin): string {
  const file = loginFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, `${JSON.stringify(login, null, 2)}\n`, 0o600);
  return file;
}

export function forgetLogin(): void {
  rmSync(loginFile(), { force: true });
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw new CommandError(EXIT.config, `"${file}" cannot be read: ${(error as Error).message}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
