import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Problem } from '../../base/errors.ts';
import { failedCallText } from '../../base/files/failed-call.ts';
import { isInside, isOwnFile } from '../../base/files/own-file.ts';
import { mapTexts } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';

const KINDS = ['env', 'file'] as const;
type Kind = (typeof KINDS)[number];
const REFERENCE = /(\$+)\{([A-Za-z][\w-]*):([^}]*)\}/g;
const FILE_BYTES_MAX = 65_536;

/** What configurations may take from outside of the store; everything else is refused. */
export interface OutsideSources {
  /** Names of variables of the server. */
  readonly variables: readonly string[];
  /** Folders whose files may be read. */
  readonly folders: readonly string[];
  /** The server's own files, which are never read. */
  readonly forbiddenFiles: readonly string[];
  /** A variable of the server; undefined where it is not set. */
  readonly variable: (name: string) => string | undefined;
}

export const NOTHING_OUTSIDE: OutsideSources = {
  variables: [],
  folders: [],
  forbiddenFiles: [],
  variable: () => undefined,
};

/** A configuration with its references replaced by what they refer to. */
export interface FilledConfig {
  readonly config: Readonly<Record<string, unknown>>;
  /** What was put in: a run must not show it. */
  readonly texts: readonly string[];
  /** References that are not allowed, or lead nowhere: they stand as they were. */
  readonly problems: readonly Problem[];
}

/**
 * Fills `${env:NAME}` and `${file:PATH}` in every text of a configuration, to any depth. They are stored as they stand, and read
 * each time: a secret that is renewed outside is used from the next connection on.
 */
export function fillReferences(
  config: Readonly<Record<string, unknown>>,
  sources: OutsideSources,
): FilledConfig {
  const texts = new Set<string>();
  const problems: Problem[] = [];
  const filled = mapTexts(config, 'config', (text, path) =>
    replaceReferences(text, (kind, name, whole) => {
      const found = foundOf(kind, name, whole, sources);
      if ('fault' in found) {
        problems.push({ path, message: `"${path}" refers to ${found.fault}` });
        return whole;
      }
      texts.add(found.text);
      return found.text;
    }),
  ) as Readonly<Record<string, unknown>>;
  return { config: filled, texts: [...texts].filter((text) => text !== ''), problems };
}

/**
 * A text with its references replaced. A further `$` before one makes it literal, as in `$${env:NAME}`; `$$$` is a dollar sign
 * and a reference. `textOf` is asked for another kind only where that is the whole text: it is then most likely misspelt.
 */
export function replaceReferences(
  text: string,
  textOf: (kind: string, name: string, whole: string) => string,
): string {
  return text.replace(REFERENCE, (whole, dollars: string, kind: string, name: string) => {
    const before = '$'.repeat(Math.floor(dollars.length / 2));
    const inner = whole.slice(dollars.length);
    if (dollars.length % 2 === 0) return `${before}${inner}`;
    if (!isKind(kind) && whole !== text) return `${before}$${inner}`;
    return `${before}${textOf(kind, name, `$${inner}`)}`;
  });
}

/** What follows "refers to" for a kind that there is not; the rest of the text may be a secret. */
export function unknownKind(kind: string): string {
  return `"${kind}", which is neither "env" nor "file" (as a text of its own it is written $\${${kind}:…})${didYouMean(kind, KINDS)}`;
}

function isKind(kind: string): kind is Kind {
  return KINDS.some((one) => one === kind);
}

/** Whether a text is a reference and nothing else: it says where a value is, and is none itself. */
export function isReference(text: string): boolean {
  return text !== '' && replaceReferences(text, (kind, _, whole) => (isKind(kind) ? '' : whole)) === '';
}

type Found = { readonly text: string } | { readonly fault: string };

function foundOf(kind: string, name: string, whole: string, sources: OutsideSources): Found {
  if (!isKind(kind)) return { fault: unknownKind(kind) };
  const found = kind === 'env' ? variableOf(name, sources) : contentOf(name, sources);
  return 'fault' in found ? { fault: `${whole}, ${found.fault}` } : found;
}

function variableOf(name: string, { variables, variable }: OutsideSources): Found {
  if (name.startsWith('SVC_'))
    return { fault: 'a setting of the server, which no connector may use: give the value itself' };
  if (!variables.includes(name))
    return {
      fault:
        'which this server does not allow: give the value itself, or name the variable in SVC_CONNECTOR_ENV',
    };
  const text = variable(name);
  return text === undefined ? { fault: 'but the server has no such variable' } : { text };
}

/** A final line break is no part of the value: editors and secret stores add one. */
function contentOf(path: string, { folders, forbiddenFiles }: OutsideSources): Found {
  const notAllowed = {
    fault:
      'which this server does not allow: give the value itself, or name the folder in SVC_CONNECTOR_FILES',
  };
  if (!isAbsolute(path)) return { fault: 'but the path of a file must be absolute' };
  const named = resolve(path);
  if (!folders.some((folder) => isInside(resolve(folder), named))) return notAllowed;
  let file: number | undefined;
  try {
    const real = realpathSync(named);
    if (!folders.some((folder) => isInside(realpathSync(folder), real))) return notAllowed;
    // Non-blocking, so that a pipe which was put there cannot hold the server.
    file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file, { bigint: true });
    if (isOwnFile(forbiddenFiles, real, stats)) return notAllowed;
    if (!stats.isFile()) return { fault: 'which is not a file' };
    if (stats.size > FILE_BYTES_MAX) return { fault: `a file of more than ${FILE_BYTES_MAX} bytes` };
    return { text: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return { fault: `but the server cannot read it: ${failedCallText(error)}` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
