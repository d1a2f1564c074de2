import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

const INPUT_CHARS_MAX = 10_000;

/** Whether somebody is there who can answer. */
export function hasPerson(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks a question of yes or no; anything but yes is no. Only where `hasPerson`. */
export async function confirm(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
  } finally {
    reader.close();
  }
}

/**
 * A password: typed unseen, twice, by whoever sits at the terminal, else the first line of standard input. Never an argument, which
 * every user of the machine could read.
 */
export async function readPassword(): Promise<string> {
  if (!hasPerson()) return firstLineOfInput('password');
  const password = await typedUnseen('New password: ');
  if ((await typedUnseen('Again: ')) !== password)
    throw new CommandError(EXIT.usage, 'The two passwords are not the same');
  return password;
}

/** A secret that exists already, typed unseen once, else the first line of standard input; `what` it is, for the message that there is none. */
export async function readSecret(prompt: string, what: string): Promise<string> {
  return hasPerson() ? typedUnseen(prompt) : firstLineOfInput(what);
}

async function typedUnseen(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  // The reader echoes what is typed to its output: this one swallows it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  // A reader takes Ctrl-C for itself.
  const interrupted = new Promise<never>((_, reject) =>
    reader.once('SIGINT', () => reject(new CommandError(EXIT.interrupted, '\nInterrupted'))),
  );
  try {
    return await Promise.race([reader.question(''), interrupted]);
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}

async function firstLineOfInput(what: string): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > INPUT_CHARS_MAX) break;
  }
  const line = text.split(/\r?\n/, 1)[0] ?? '';
  if (line === '') throw new CommandError(EXIT.usage, `There is no ${what} on standard input`);
  return line;
}
