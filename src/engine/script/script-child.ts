/**
 * The process of a `script` step in JavaScript or TypeScript: it reads batches of rows from one pipe and writes what the function makes
 * of them to another, a line of JSON each. Node's permission model keeps files, child processes and native code from it; what leads to
 * the network is taken away before the code is loaded. It may read no file but those of the program.
 */
import { stripTypeScriptTypes } from 'node:module';
import { Socket } from 'node:net';
import { formatWithOptions } from 'node:util';
import { Worker } from 'node:worker_threads';
import { LineReader } from '../../base/text/line-reader.ts';
import { lineOf, lineOfRows, messageOfLine, rowsOf, type WrittenRows } from './script-lines.ts';
import { limitConnections, limitModules, type ModuleAccess, SCRIPT } from './script-modules.ts';

const [ROWS_FD, ANSWERS_FD, LIFELINE_FD] = [3, 4, 5];
const REMOVED = ['process', 'WebSocket', 'EventSource', 'navigator'];
const OF_NETWORK = ['fetch', 'Request', 'Response'];
/** Says that an item has begun, where the ones before took this long. */
const BEAT_MS = 500;
const ROWS_OF_ITEM_MAX = 100_000;
const MESSAGE_CHARS_MAX = 1_000;

type Row = Record<string, unknown>;
type Made = (item: Row, context: object) => unknown;

interface Start {
  readonly code: string;
  readonly language: 'javascript' | 'typescript';
  readonly function: string | null;
  readonly args: unknown;
  readonly modules: ModuleAccess;
}

/** Place of the first row among all. */
type Given = WrittenRows & { readonly first: number };

/** It is taken from the code, not from this file. */
const own = process;
const answers = new Socket({ fd: ANSWERS_FD, readable: false, writable: true });
let source = '';

/** Ends this process with its parent, whatever the function is busy with. */
function startWatchdog(): void {
  const text = `const { Socket } = require('node:net');
    const lifeline = new Socket({ fd: ${LIFELINE_FD}, readable: true });
    const end = () => process.kill(${own.pid}, 'SIGKILL');
    lifeline.on('close', end).on('error', end).resume();`;
  new Worker(text, { eval: true, env: {}, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
}

function send(message: object): void {
  answers.write(lineOf(message));
}

/** Lets the code import and reach what it may, and takes away what it must not have. */
function lock(modules: ModuleAccess): void {
  limitModules(() => source, modules);
  limitConnections(modules.network);
  const say = (stream: NodeJS.WriteStream) => {
    const write = stream.write.bind(stream);
    return (...values: readonly unknown[]) => void write(`${formatWithOptions({ depth: 4 }, ...values)}\n`);
  };
  const [out, error] = [say(process.stdout), say(process.stderr)];
  const console = { log: out, info: out, debug: out, warn: error, error };
  Object.defineProperty(globalThis, 'console', { value: Object.freeze(console) });
  const removed = modules.network.length > 0 ? REMOVED : [...REMOVED, ...OF_NETWORK];
  for (const name of removed)
    Object.defineProperty(globalThis, name, { value: undefined, configurable: modules.packages !== null });
  if (modules.packages !== null) Object.defineProperty(globalThis, 'process', { value: bareProcess() });
}

/** What packages ask of a process: which one it is, and no more. */
function bareProcess(): object {
  const { version, versions, platform, arch } = own;
  const nextTick = (call: (...args: unknown[]) => void, ...args: unknown[]) =>
    queueMicrotask(() => call(...args));
  const bare = { env: Object.freeze({}), argv: Object.freeze([]), nextTick, cwd: () => '/' };
  return Object.freeze({ ...bare, version, versions, platform, arch, emitWarning: () => undefined });
}

async function load(start: Start): Promise<Made> {
  source = start.language === 'typescript' ? stripTypeScriptTypes(start.code) : start.code;
  const module = (await import(SCRIPT)) as Readonly<Record<string, unknown>>;
  const found = start.function === null ? (module['default'] ?? module['transform']) : module[start.function];
  if (typeof found === 'function') return found as Made;
  const wanted =
    start.function === null ? 'a default function, and none named transform' : `"${start.function}"`;
  throw new Error(`The code does not export ${wanted}`);
}

/** What is wrong, for people: the error's class and text, and the line of the code. */
function told(error: unknown): { readonly message: string; readonly line: number | null } {
  if (!(error instanceof Error)) return { message: short(`${error} was thrown`), line: null };
  const line = /headgate:script:(\d+)/.exec(error.stack ?? '')?.[1];
  return {
    message: short(`${error.name}: ${error.message}`),
    line: line === undefined ? null : Number(line),
  };
}

function short(text: string): string {
  return text.length > MESSAGE_CHARS_MAX ? `${text.slice(0, MESSAGE_CHARS_MAX)}…` : text;
}

/** What a function gave, as rows. */
async function collect(made: unknown, out: Row[]): Promise<void> {
  if (made === null || made === undefined) return;
  if (typeof made !== 'object')
    throw new TypeError(`The function returned a ${typeof made} instead of an item`);
  if (Array.isArray(made)) for (const one of made) add(one, out);
  else if (Symbol.iterator in made) {
    const before = out.length;
    for (const one of made as Iterable<unknown>) addOfMany(one, out, before);
  } else if (Symbol.asyncIterator in made) {
    const before = out.length;
    for await (const one of made as AsyncIterable<unknown>) addOfMany(one, out, before);
  } else out.push(made as Row);
}

function addOfMany(one: unknown, out: Row[], before: number): void {
  if (out.length - before >= ROWS_OF_ITEM_MAX)
    throw new RangeError(`One item became more than ${ROWS_OF_ITEM_MAX.toLocaleString('en')} items`);
  add(one, out);
}

function add(one: unknown, out: Row[]): void {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    throw new TypeError(`The function returned a list with ${kindOf(one)} instead of an item`);
  out.push(one as Row);
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

async function apply(made: Made, given: Given, args: unknown): Promise<void> {
  const rows = rowsOf(given);
  const { first } = given;
  const out: Row[] = [];
  const counts: number[] = [];
  const errors: (readonly [number, string, number | null])[] = [];
  let beatAt = performance.now();
  for (const [at, row] of rows.entries()) {
    const now = performance.now();
    if (now - beatAt > BEAT_MS) {
      send({ at });
      beatAt = now;
    }
    const before = out.length;
    try {
      const answer = made(row, { args, index: first + at });
      const item = answer instanceof Promise ? await answer : answer;
      if (isPlain(item)) out.push(item);
      else await collect(item, out);
    } catch (error) {
      const { message, line } = told(error);
      errors.push([at, message, line]);
      out.length = before;
    }
    counts.push(out.length - before);
  }
  const one = counts.every((count) => count === 1);
  answers.write(lineOfRows(out, { counts: one ? null : counts, errors }));
}

/** The usual case, which costs no promise. */
function isPlain(item: unknown): item is Row {
  return typeof item === 'object' && item !== null && Object.getPrototypeOf(item) === Object.prototype;
}

async function serve(): Promise<void> {
  const lines = new LineReader(Number.POSITIVE_INFINITY);
  const input = new Socket({ fd: ROWS_FD, readable: true, writable: false });
  let made: Promise<{ readonly call: Made; readonly args: unknown }> | null = null;
  for await (const chunk of input) {
    for (const line of lines.push(chunk as Buffer)) {
      if (made === null) {
        const start = messageOfLine(line) as Start;
        lock(start.modules);
        made = load(start).then((call) => ({ call, args: start.args }));
        await made;
        send({ ready: true });
        continue;
      }
      const { call, args } = await made;
      await apply(call, messageOfLine(line) as Given, args);
    }
  }
}

/** A socket that is full takes lines later: an exit before that would lose them. */
async function showPrinted(): Promise<void> {
  const streams = [own.stdout, own.stderr];
  await Promise.all(streams.map((stream) => new Promise<void>((shown) => stream.write('', () => shown()))));
}

startWatchdog();
serve().then(
  async () => {
    await showPrinted();
    own.exit(0);
  },
  async (error: unknown) => {
    await showPrinted();
    send({ fault: told(error) });
    answers.end();
  },
);
