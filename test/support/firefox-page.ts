import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import { findProgram } from './find-program.ts';

const readyMsMax = 60_000;
const waitMsMax = 30_000;
const lookEveryMs = 100;

/** Where a Firefox is: `FIREFOX_PATH`, else on the PATH; null where there is none. */
export function findFirefox(): string | null {
  return findProgram(process.env['FIREFOX_PATH'], ['firefox-esr', 'firefox']);
}

interface Reply {
  readonly id?: number;
  readonly type: string;
  readonly result?: unknown;
  readonly message?: string;
  readonly method?: string;
  readonly params?: { readonly level?: string; readonly text?: string };
}

/**
 * One page of a Firefox as its distribution ships it, over WebDriver BiDi: what playwright asks of such a Firefox is more than the
 * extended support release knows.
 */
export class FirefoxPage {
  /** Errors and warnings of the console, and uncaught errors. */
  readonly complaints: string[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #context = '';
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data)) as Reply));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox has ended'));
    });
  }

  /** Starts a Firefox with a profile of its own, which ends with the test. */
  static async start(t: Test, executable: string): Promise<FirefoxPage> {
    const profile = mkdtempSync(join(tmpdir(), 'headgate-firefox-'));
    // Nothing that Firefox would ask its makers at its start.
    writeFileSync(join(profile, 'user.js'), 'user_pref("app.normandy.enabled", false);\n');
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
    const child = spawn(executable, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    t.teardown(async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    });
    const socket = new WebSocket(`${await addressOf(child)}/session`);
    await once(socket, 'open');
    const page = new FirefoxPage(socket);
    t.teardown(() => socket.close());
    await page.#ask('session.new', { capabilities: {} });
    await page.#ask('session.subscribe', { events: ['log.entryAdded'] });
    const { contexts } = await page.#ask<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
    page.#context = contexts[0]?.context ?? '';
    return page;
  }

  async goto(url: string): Promise<void> {
    await this.#ask('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  /** Waits until an expression of the page is true, or an element is found. */
  async until(expression: string): Promise<void> {
    const end = performance.now() + waitMsMax;
    while (!(await this.#evaluate(`Boolean(${expression})`))) {
      if (performance.now() > end) throw new Error(`not in ${waitMsMax} ms: ${expression}`);
      await delay(lookEveryMs);
    }
  }

  /** Clicks the first element of this kind with this text, once there is one. */
  async click(kind: string, text: string): Promise<void> {
    const found = `[...document.querySelectorAll(${JSON.stringify(kind)})].find((one) => one.textContent.trim().startsWith(${JSON.stringify(text)}) && !one.disabled)`;
    await this.until(found);
    await this.#evaluate(`${found}.click()`);
  }

  /** Types into the field with this label, key by key. */
  async type(label: string, text: string): Promise<void> {
    const found = `[...document.querySelectorAll('label')].find((one) => one.textContent.trim() === ${JSON.stringify(label)})?.control`;
    await this.until(found);
    await this.#evaluate(`${found}.focus()`);
    const keys = Array.from(text).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    const actions = [{ type: 'key', id: 'keyboard', actions: keys }];
    await this.#ask('input.performActions', { context: this.#context, actions });
  }

  async #evaluate(expression: string): Promise<unknown> {
    const target = { context: this.#context };
    const answer = await this.#ask<{
      type: string;
      result?: { value?: unknown };
      exceptionDetails?: { text: string };
    }>('script.evaluate', { expression, target, awaitPromise: false });
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails?.text);
    return answer.result?.value;
  }

  #ask<T = unknown>(method: string, params: object): Promise<T> {
    const id = ++this.#last;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: (value) => resolve(value as T), reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #take({ id, type, result, message, method, params }: Reply): void {
    if (method === 'log.entryAdded' && (params?.level === 'error' || params?.level === 'warn'))
      this.complaints.push(params.text ?? '');
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (type === 'error') waiting.reject(new Error(message));
    else waiting.resolve(result);
  }
}

/** The address that Firefox prints once it listens. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Firefox is not ready in time')), readyMsMax);
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}`)));
    if (child.stderr === null) throw new Error('no standard error');
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, address] = /^WebDriver BiDi listening on (ws:\S+)$/.exec(line) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}
