import type { ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { endWithin, forkEntry, lastWords } from '../base/process/child-process.ts';
import type { FromHost, HostAnswer, HostRequest, HostSettings, ToHost } from './host-messages.ts';

export interface HostChildOptions {
  readonly settings: HostSettings;
  /** The host's entry file. */
  readonly entry: string;
  /** Node's own flags; never the parent's inspector. */
  readonly execArgv: readonly string[];
  /** How far the process yields to others, as `nice` counts. */
  readonly niceness: number;
}

export interface HostChildPorts {
  ready(): void;
  answers(answers: readonly HostAnswer[]): void;
  /** Called once, when the process is gone. */
  ended(how: HostEnd): void;
}

export interface HostEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to standard error. */
  readonly said: string;
  /** It was ended because it was over its limit of memory. */
  readonly overMemory: boolean;
}

const PING_INTERVAL_MS = 2_000;
/** A host that leaves so many pings in a row unanswered is killed. */
const PINGS_MISSED_MAX = 5;

/** One worker host process, from the control plane's side: sends requests in batches, and sees to it that a hung one dies. */
export class HostChild {
  readonly #child: ChildProcess;
  readonly #ports: HostChildPorts;
  readonly #pings: NodeJS.Timeout;
  readonly #said: () => string;
  #outbox: HostRequest[] = [];
  #pingsMissed = 0;
  #rssBytes = 0;
  #ended = false;
  #overMemory = false;

  constructor(options: HostChildOptions, ports: HostChildPorts) {
    this.#ports = ports;
    this.#child = forkEntry(options.entry, {
      execArgv: [...options.execArgv],
      // The folder that the server was started in may be gone, and a process or thread without one does not start.
      cwd: dirname(options.entry),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (options.niceness > 0 && this.#child.pid !== undefined)
      lowerPriority(this.#child.pid, options.niceness);
    this.#said = lastWords(this.#child);
    this.#child.on('message', (message: FromHost) => this.#onMessage(message));
    this.#child.once('error', () => this.#onEnd(null, null));
    this.#child.once('exit', (code, signal) => this.#onEnd(code, signal));
    this.#sendNow({ type: 'start', settings: options.settings });
    this.#pings = setInterval(() => this.#ping(), PING_INTERVAL_MS);
    this.#pings.unref();
  }

  /** Its resident memory, as it said last. */
  get rssBytes(): number {
    return this.#rssBytes;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(request: HostRequest): void {
    if (this.#outbox.length === 0) setImmediate(() => this.#flush());
    this.#outbox.push(request);
  }

  /** Lets the host end in good order, and ends it after `graceMs` all the same. */
  async stop(graceMs: number): Promise<void> {
    if (this.#ended) return;
    const gone = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    const ask = () => this.#child.connected && this.#child.disconnect();
    await endWithin(graceMs, { gone, ask, kill: () => this.kill() });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #flush(): void {
    const requests = this.#outbox;
    this.#outbox = [];
    try {
      this.#sendNow({ type: 'batch', requests });
    } catch {
      for (const request of requests) this.#sendAlone(request);
    }
  }

  /** One input that cannot be cloned must not take the others of its batch along. */
  #sendAlone(request: HostRequest): void {
    try {
      this.#sendNow({ type: 'batch', requests: [request] });
    } catch (error) {
      if (request.type !== 'run') return;
      const failure = {
        code: 'INTERNAL_ERROR',
        message: 'The call cannot be sent',
        logged: messageOf(error),
      } as const;
      this.#ports.answers([{ id: request.id, type: 'failed', failure }]);
    }
  }

  #sendNow(message: ToHost): void {
    // A failed send means that the process is ending, which `exit` announces.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #onMessage(message: FromHost): void {
    this.#pingsMissed = 0;
    switch (message.type) {
      case 'ready':
        this.#rssBytes = message.rssBytes;
        this.#ports.ready();
        break;
      case 'batch':
        this.#ports.answers(message.answers);
        break;
      case 'over_memory':
        this.#overMemory = true;
        this.kill();
        break;
      case 'stuck':
        this.kill();
        break;
      case 'pong':
        this.#rssBytes = message.rssBytes;
        break;
      default:
        message satisfies never;
    }
  }

  #ping(): void {
    this.#pingsMissed += 1;
    if (this.#pingsMissed > PINGS_MISSED_MAX) this.kill();
    else this.send({ type: 'ping' });
  }

  #onEnd(code: number | null, signal: string | null): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#pings);
    this.#ports.ended({ code, signal, said: this.#said(), overMemory: this.#overMemory });
  }
}

/** Where the system does not let it, the process has the priority of its parent. */
function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    return;
  }
}
