import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MAIN } from '../../support/program.ts';
import { programEnvironment } from '../../support/program-environment.ts';
import { type CodeBlock, codeBlocks, readMarkdown, root } from '../markdown-files.ts';

const RUN_MS_MAX = 60_000;

export interface Following {
  /** Empty at first. */
  readonly folder: string;
  /** What a reader puts in place of the page's own hosts, users and passwords. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Does what a block of SQL says; they come in the order of the page. */
  readonly sql?: (text: string) => Promise<void>;
  /** Called once a file of code has been saved. */
  readonly saved?: (file: string) => Promise<void>;
}

export interface Commands {
  readonly shell: string;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What the page shows after these commands; null for nothing. */
  readonly shown: string | null;
}

/** Does what a section of a page of `docs/connectors` says, in its order: saves its files, runs its commands, and nothing else. */
export async function followPage(
  page: string,
  heading: string,
  { folder, replaced = {}, sql, saved }: Following,
): Promise<readonly Commands[]> {
  const file = `docs/connectors/${page}.md`;
  const done: Commands[] = [];
  for (const block of blocksOf(file, heading)) {
    const text = Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), block.text);
    const name = fileOf(block);
    if (block.info === 'sh') done.push({ ...(await runShell(text, folder)), shown: null });
    else if (block.info === 'text') done.push({ ...(done.pop() as Commands), shown: text });
    else if (block.info === 'sql') await sql?.(text);
    else if (name === null) throw new Error(`${file}:${block.line}: the words before name no file`);
    else {
      writeFileSync(join(folder, name), text);
      await saved?.(join(folder, name));
    }
  }
  return done;
}

/** Runs commands as a reader does who has gone through the first steps. */
export async function runShell(shell: string, folder: string): Promise<Omit<Commands, 'shown'>> {
  const programs = join(folder, '.programs');
  mkdirSync(programs, { recursive: true });
  const node = join(programs, 'node');
  try {
    symlinkSync(process.execPath, node);
  } catch {
    // An earlier block has made it.
  }
  const environment = programEnvironment();
  const headgate = `headgate() { "${node}" "${MAIN}" "$@"; }\n`;
  const child = spawn('bash', ['-e', '-c', headgate + shell], {
    cwd: folder,
    env: {
      ...environment,
      HOME: folder,
      HEADGATE: root,
      PATH: `${programs}${delimiter}${environment['PATH']}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_MS_MAX,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ shell, code, stdout, stderr }));
  });
}

function blocksOf(file: string, heading: string): readonly CodeBlock[] {
  const lines = readMarkdown(file).split('\n');
  const start = lines.indexOf(`## ${heading}`);
  if (start === -1) throw new Error(`${file} has no section "${heading}"`);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  const end = length === -1 ? lines.length : start + 1 + length;
  return codeBlocks(file).filter(({ line }) => line > start && line <= end);
}

/** The first file that the words before a block name. */
function fileOf({ file, line }: CodeBlock): string | null {
  const words = readMarkdown(file).split('\n')[line - 3] ?? '';
  return /`([\w.-]+\.(?:yaml|mjs))`/.exec(words)?.[1] ?? null;
}
