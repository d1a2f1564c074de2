import { isScalar, type Pair, parseDocument, type Scalar, visit, type YAMLMap } from 'yaml';

/** Why a lock cannot be made; the message is for people. */
export class LockProblem extends Error {
  override readonly name = 'LockProblem';
}

/** A script step that names what it imports. */
export interface LockedStep {
  /** Of Python; empty where it has packages. */
  readonly dependencies: readonly string[];
  /** The name of npm packages; null for Python. */
  readonly packages: string | null;
  /** What stands in the text; empty for nothing. */
  readonly lock: string;
}

const LOCKABLE = ['dependencies', 'packages'];

/** The steps of a task's YAML that need a lock, wherever they stand in it. `LockProblem` where it is no YAML. */
export function lockedSteps(yaml: string): readonly LockedStep[] {
  const document = parseDocument(yaml);
  const [problem] = document.errors;
  if (problem !== undefined) throw new LockProblem(`This is not YAML: ${problem.message}`);
  return stepsIn(yaml).map((step) => {
    const { dependencies, packages, lock } = step.toJSON() as Record<string, unknown>;
    return {
      dependencies: Array.isArray(dependencies) ? dependencies.map(String) : [],
      packages: typeof packages === 'string' ? packages : null,
      lock: typeof lock === 'string' ? lock : '',
    };
  });
}

/** The same text with these locks, in the order of `lockedSteps`; all else stays as it is written. */
export function withLocks(yaml: string, locks: readonly string[]): string {
  const steps = stepsIn(yaml);
  // From the end, so that the places before stay.
  return steps.reduceRight((text, step, at) => withLock(text, step, locks[at] ?? ''), yaml);
}

function stepsIn(yaml: string): readonly YAMLMap[] {
  const found: YAMLMap[] = [];
  visit(parseDocument(yaml), {
    Map: (_, map) => {
      if (map.get('kind') === 'script' && LOCKABLE.some((key) => map.get(key) != null)) found.push(map);
    },
  });
  return found;
}

function withLock(text: string, step: YAMLMap, lock: string): string {
  if (step.get('lock') === lock || String(step.get('lock') ?? '').trim() === lock) return text;
  const written = pairOf(step, 'lock');
  const beside = pairOf(step, ...LOCKABLE);
  if (beside === undefined) return text;
  const [keyStart] = (beside.key as Scalar).range ?? [0];
  const column = keyStart - (text.lastIndexOf('\n', keyStart - 1) + 1);
  const value = step.flow === true ? JSON.stringify(lock) : blockText(lock, column);
  if (written !== undefined) {
    const [start] = (written.key as Scalar).range ?? [0];
    return `${text.slice(0, start)}lock: ${value}${text.slice(endOf(text, written, value))}`;
  }
  if (step.flow === true) {
    const end = endOf(text, beside, value);
    return `${text.slice(0, end)}, lock: ${value}${text.slice(end)}`;
  }
  // Long as it is, it stands at the end of its step.
  const last = endOf(text, step.items.at(-1) as Pair, value);
  const lineEnd = text.indexOf('\n', last);
  const end = lineEnd === -1 ? text.length : lineEnd;
  return `${text.slice(0, end)}\n${' '.repeat(column)}lock: ${value}${text.slice(end)}`;
}

function pairOf(step: YAMLMap, ...keys: readonly string[]): Pair | undefined {
  return step.items.find(({ key }) => isScalar(key) && keys.includes(String(key.value)));
}

/** Where the value of a pair ends; a block's last line feed stays where another block takes its place. */
function endOf(text: string, { key, value }: Pair, next: string): number {
  const node = value as { readonly range?: readonly number[] | null } | null;
  const end = node?.range?.[1] ?? (key as Scalar).range?.[1] ?? 0;
  return text[end - 1] === '\n' && !next.endsWith('\n') ? end - 1 : end;
}

/** One line as it is; more as a block of text. */
function blockText(lock: string, column: number): string {
  if (!lock.includes('\n')) return lock;
  const indent = ' '.repeat(column + 2);
  return `|-\n${lock
    .split('\n')
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n')}`;
}
