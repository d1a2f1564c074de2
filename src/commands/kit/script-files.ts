import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { CODE_CHARS_MAX } from '../../language/task/steps/script/script-file.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';
import { readDocument, unreadable } from './read-document.ts';

/** Of a character in UTF-8, at most. */
const CHAR_BYTES_MAX = 4;

/** The keys below which a task has its steps, and steps have those inside them: elsewhere a map is data, however it looks. */
const STEP_KEYS: ReadonlySet<unknown> = new Set(['steps', 'on_failure', 'finally', 'cases', 'else']);

/** The text of a task's file, with the code of its script files; see `withScriptFiles`. */
export function readTask(file: string): string {
  return withScriptFiles(readDocument(file), file);
}

/**
 * A task's text in which each script step that names a `file` has the code of it in its place, as `{name, code}` on the same line, so that
 * lines stay what they are. Paths are relative to the folder of `file`, which they do not leave. `CommandError`, with the place of the
 * name, for a file that cannot be taken. What is no YAML stays as it is.
 */
export function withScriptFiles(yaml: string, file: string): string {
  if (!/\bscript\b/.test(yaml) || !/\bfile\b/.test(yaml)) return yaml;
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  if (document.errors.length > 0) return yaml;
  const named: Scalar<string>[] = [];
  visit(document, {
    Pair: (_, { key }) => (isScalar(key) && STEP_KEYS.has(key.value) ? undefined : visit.SKIP),
    Map: (_, step) => {
      const name = step.get('kind') === 'script' ? step.get('file', true) : undefined;
      if (isScalar(name) && typeof name.value === 'string' && name.value !== '')
        named.push(name as Scalar<string>);
    },
  });
  // From the end, so that the places before stay.
  return named.reduceRight((text, { value: name, range }) => {
    const [start = 0, end = 0] = range ?? [];
    const { line, col } = lines.linePos(start);
    const code = codeOf(name, file, `${file}:${line}:${col}`);
    const breaks = text.slice(start, end).replaceAll(/[^\n]/g, '');
    const put = `{ "name": ${JSON.stringify(name)}, "code": ${JSON.stringify(code)} }`;
    return `${text.slice(0, start)}${put}${breaks}${text.slice(end)}`;
  }, yaml);
}

/** The same for the tasks of a bundle; their script files are relative to that of the bundle. */
export function withFilesOfTasks(bundle: string, file: string): string {
  const document = parseDocument(bundle);
  const tasks = document.errors.length > 0 ? null : document.get('tasks');
  if (!isSeq(tasks)) return bundle;
  let changed = false;
  for (const task of tasks.items) {
    const yaml = isMap(task) ? task.get('yaml') : undefined;
    if (!isMap(task) || typeof yaml !== 'string') continue;
    const whole = withScriptFiles(yaml, file);
    if (whole === yaml) continue;
    task.set('yaml', whole);
    changed = true;
  }
  return changed ? document.toString({ lineWidth: 0 }) : bundle;
}

function codeOf(name: string, file: string, place: string): string {
  const refuse = (why: string, cause?: unknown) =>
    new CommandError(EXIT.usage, `${place}: ${why}`, { cause });
  const inside = 'name a file inside the folder of the YAML file, by a relative path';
  if (isAbsolute(name) || name.split(/[/\\]/).includes('..') || name.includes('\0'))
    throw refuse(`The script file "${name}" is outside: ${inside}`);
  const folder = resolve(dirname(file));
  try {
    const path = realpathSync(join(folder, name));
    const way = relative(realpathSync(folder), path);
    if (way.split(sep)[0] === '..' || isAbsolute(way))
      throw refuse(`The script file "${name}" is a link that leads outside: ${inside}`);
    const { size } = regular(path);
    if (size > CODE_CHARS_MAX * CHAR_BYTES_MAX)
      throw refuse(`The script file "${name}" has more than ${CODE_CHARS_MAX} characters`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const isText = !(cause instanceof TypeError);
    throw refuse(
      isText ? unreadable(`The script file "${name}"`, cause) : `The script file "${name}" is not UTF-8 text`,
      cause,
    );
  }
}

/** A pipe would be waited for. */
function regular(path: string) {
  const found = statSync(path);
  if (found.isFile()) return found;
  throw Object.assign(new Error('it is no file'), { code: found.isDirectory() ? 'EISDIR' : '' });
}
