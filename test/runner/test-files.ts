import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import longFaults from './long-faults.json' with { type: 'json' };
import longFiles from './long-files.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
/** `// Own process: <why>` in a test file: it changes or measures the process that it runs in. */
const OWN_PROCESS = /^\/\/ Own process: \S/m;
/** `// Long list: <why>` in a test file: `npm test` leaves all of it to `npm run test:faults`, unless it is named. */
const LONG_LIST = /^\/\/ Long list: \S/m;
/** By itself, or by what looks at the pages of its tests, or draws the stores of its cases. */
const FULL_LIST =
  /^import .*(\/fault-list|\bcheckLooks\b.*\/app-tests)\.ts';$|\b(eachStore|drawnKinds|eachAuthApp)\(t\b/m;
/** Of a file that nobody has measured. */
const UNKNOWN: Measure = [1.5, 0.8];

/** Seconds that a file took, and seconds of processor time. */
type Measure = readonly [number, number];
type Measures = Readonly<Record<string, Measure>>;

export interface TestFile {
  /** Below the checkout. */
  readonly path: string;
  readonly needsOwnProcess: boolean;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export interface FoundFiles {
  /** The longest first, as long as they took the last time in such a run. */
  readonly files: readonly TestFile[];
  /** How many files of the long list were left out. */
  readonly left: number;
}

/** The test files of these files, folders and patterns. Those of the long list run with `isFullList`, or where they are named. */
export function testFilesOf(places: readonly string[], isFullList: boolean): FoundFiles {
  const known = { ...longFiles, ...(isFullList ? longFaults : {}) } as unknown as Measures;
  const measures: Measures = { ...known, ...readMeasures(isFullList) };
  const named = new Set(places.map(belowRoot));
  const paths = [...new Set(places.flatMap(pathsOf))];
  const wanted = paths.filter((path) => isFullList || named.has(path) || !isOfLongList(path));
  const files = wanted.map((path) => {
    const [seconds, cpuSeconds] = measures[path] ?? UNKNOWN;
    return { path, needsOwnProcess: needsOwnProcess(path), seconds, cpuSeconds };
  });
  files.sort((a, b) => b.seconds - a.seconds || a.path.localeCompare(b.path));
  return { files, left: paths.length - wanted.length };
}

/** Whether the file says that it may leave listeners of the process behind, since no other file comes after it. */
export function needsOwnProcess(path: string): boolean {
  return OWN_PROCESS.test(readFileSync(join(root, path), 'utf8'));
}

/** Whether the file, or a part of it, runs only in `npm run test:faults`. */
export function hasFullList(path: string): boolean {
  return isOfLongList(path) || FULL_LIST.test(readFileSync(join(root, path), 'utf8'));
}

/** Whether the file as a whole runs only in `npm run test:faults`. */
export function isOfLongList(path: string): boolean {
  return LONG_LIST.test(readFileSync(join(root, path), 'utf8'));
}

/** For the next run's order and guess of the time left. */
export function keepMeasures(measured: ReadonlyMap<string, Measure>, isFullList: boolean): void {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const all = { ...readMeasures(isFullList), ...Object.fromEntries(measured) };
  writeFileSync(measuresFile(isFullList), JSON.stringify(all));
}

function readMeasures(isFullList: boolean): Measures {
  const file = measuresFile(isFullList);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Measures) : {};
}

function measuresFile(isFullList: boolean): string {
  return join(root, `.cache/test-${isFullList ? 'faults' : 'files'}.json`);
}

function pathsOf(place: string): string[] {
  const stat = statSync(place, { throwIfNoEntry: false });
  const found =
    stat?.isFile() === true ? [place] : globSync(stat?.isDirectory() ? join(place, '**/*.test.ts') : place);
  if (found.length === 0) throw new Error(`No test file in "${place}"`);
  return found.map(belowRoot);
}

function belowRoot(file: string): string {
  return relative(root, resolve(file));
}
