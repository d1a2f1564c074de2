import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { programEnvironment } from '../../test/support/program-environment.ts';
import type { LoadOrder } from './load-child.ts';
import { LOAD_DEFAULTS, type LoadFigures, type LoadSettings } from './load-settings.ts';

const CHILD = join(import.meta.dirname, 'load-child.ts');

type Fixed = 'addresses' | 'key' | 'seed';
export interface FleetSettings
  extends Pick<LoadSettings, Fixed>,
    Partial<Omit<LoadSettings, Fixed | 'recordFile'>> {
  readonly folder: string;
  /** Processes; each can be killed by itself. */
  readonly processes: number;
  readonly executorsPerProcess?: number;
  /** `NODE_OPTIONS` of the processes. */
  readonly nodeOptions?: string;
}

interface Member {
  child: ChildProcess | null;
  /** How often it was started. */
  starts: number;
  /** Of the processes before this one. */
  before: LoadFigures;
  figures: LoadFigures;
}

const NOTHING: LoadFigures = { lines: 0, points: 0, completed: 0, ackMs: [] };

/** Simulated executors in processes of their own, which tests kill, stop and start again. What they saw is in `folder`. */
export class LoadFleet {
  readonly #settings: FleetSettings;
  readonly #members: Member[];
  readonly #ackMs: number[] = [];

  constructor(settings: FleetSettings) {
    this.#settings = settings;
    mkdirSync(settings.folder, { recursive: true });
    this.#members = Array.from({ length: settings.processes }, () => ({
      child: null,
      starts: 0,
      before: NOTHING,
      figures: NOTHING,
    }));
    for (let index = 0; index < settings.processes; index++) this.start(index);
  }

  get size(): number {
    return this.#members.length;
  }

  get executors(): number {
    return this.size * (this.#settings.executorsPerProcess ?? 1);
  }

  /** Processes that have sent something since their start. */
  get working(): number {
    return this.#members.filter((member) => member.figures.lines > 0).length;
  }

  /** Acknowledged and completed so far, by the processes' last reports; what a killed one had not reported is missing. */
  get figures(): LoadFigures {
    const parts = this.#members.flatMap((member) => [member.before, member.figures]);
    const sum = (key: 'lines' | 'points' | 'completed') =>
      parts.reduce((total, part) => total + part[key], 0);
    return { lines: sum('lines'), points: sum('points'), completed: sum('completed'), ackMs: this.#ackMs };
  }

  start(index: number): void {
    const member = this.#members[index];
    if (member === undefined || member.child !== null) return;
    member.starts += 1;
    member.before = addUp(member.before, member.figures);
    member.figures = NOTHING;
    const child = fork(CHILD, {
      env: { ...programEnvironment(), NODE_OPTIONS: this.#settings.nodeOptions ?? '' },
    });
    member.child = child;
    child.on('message', (figures: LoadFigures) => {
      if (member.child !== child) return;
      member.figures = figures;
      this.#ackMs.push(...figures.ackMs);
    });
    child.on('exit', () => {
      if (member.child === child) member.child = null;
    });
    const settings = Array.from({ length: this.#settings.executorsPerProcess ?? 1 }, (_, nth) =>
      this.#settingsOf(index, nth, member.starts),
    );
    child.send({ kind: 'start', settings } satisfies LoadOrder);
  }

  async kill(index: number): Promise<void> {
    const child = this.#members[index]?.child;
    if (child === null || child === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Stops the process where it is, as a paused virtual machine; `wake` resumes it. */
  pause(index: number): void {
    this.#members[index]?.child?.kill('SIGSTOP');
  }

  wake(index: number): void {
    this.#members[index]?.child?.kill('SIGCONT');
  }

  /** Lets each end what it holds, for at most `ms`, then kills it. */
  async stop(ms = 10_000): Promise<void> {
    await Promise.all(
      this.#members.map(async (member) => {
        const { child } = member;
        if (child === null) return;
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGCONT');
        if (child.connected) child.send({ kind: 'stop' } satisfies LoadOrder);
        const timer = setTimeout(() => child.kill('SIGKILL'), ms);
        await ended;
        clearTimeout(timer);
      }),
    );
  }

  #settingsOf(index: number, nth: number, starts: number): LoadSettings {
    const {
      folder,
      processes: _processes,
      executorsPerProcess: _each,
      nodeOptions: _node,
      ...given
    } = this.#settings;
    const { addresses } = given;
    const turn = index % addresses.length;
    return {
      ...LOAD_DEFAULTS,
      ...given,
      addresses: [...addresses.slice(turn), ...addresses.slice(0, turn)],
      name: `${given.name ?? 'load'}-${index}-${nth}`,
      recordFile: join(folder, `${given.name ?? 'load'}-${index}-${nth}-${starts}.ndjson`),
    };
  }
}

function addUp(one: LoadFigures, other: LoadFigures): LoadFigures {
  return {
    lines: one.lines + other.lines,
    points: one.points + other.points,
    completed: one.completed + other.completed,
    ackMs: [],
  };
}
