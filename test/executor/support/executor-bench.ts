import { enableCompileCache } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { randomHex } from '../../../src/base/ids.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { CONNECTOR_TYPES } from '../../../src/drivers/driver-loaders.ts';
import { createExecutor, type Executor } from '../../../src/executor/executor.ts';
import type { ExecutorProcessLimits } from '../../../src/executor/executor-limits.ts';
import type {
  ExecutorLimits,
  Lease,
  LeaseOutcome,
  RegisterRequest,
  RunSpec,
} from '../../../src/protocol/control-plane.ts';
import { createGrpcClient } from '../../../src/protocol/grpc-client.ts';
import { decodeLogFrame } from '../../../src/protocol/wire/log/log-frame.ts';
import { grpcServer, KEY } from '../../protocol/support/grpc-binding.ts';
import { MemoryControlPlane } from '../../protocol/support/memory-control-plane.ts';
import type { MemoryRun } from '../../protocol/support/memory-run.ts';
import { outboundOf } from '../../support/outbound.ts';

// Runners inherit it, and start in half the time.
enableCompileCache();

/** The tests' control plane with short times, which notes when it heard what. */
export class TimedControlPlane extends MemoryControlPlane {
  readonly heartbeatsAt: number[] = [];
  readonly accepted: number[] = [];
  readonly registrations: RegisterRequest[] = [];
  readonly claimedAt = new Map<number, number>();
  limits: Partial<ExecutorLimits> = { heartbeat_ms: 100, lease_ttl_ms: 5_000 };

  /** Called when something was done and before it is answered: what it throws stands for an answer that is lost. */
  after: (operation: 'saveCheckpoint' | 'putDeadLetters' | 'reportMetrics' | 'appendLogs') => void = () =>
    undefined;
  /** Refuses log batches with such a line. */
  poison = '';

  override async register(request: RegisterRequest) {
    this.registrations.push(request);
    const registration = await super.register(request);
    return { ...registration, limits: { ...registration.limits, ...this.limits } };
  }

  override async heartbeat(...args: Parameters<MemoryControlPlane['heartbeat']>) {
    this.heartbeatsAt.push(performance.now());
    return super.heartbeat(...args);
  }

  override async claim(...args: Parameters<MemoryControlPlane['claim']>) {
    const assignments = await super.claim(...args);
    for (const { lease } of assignments) this.claimedAt.set(lease.run_id, Date.now());
    return assignments;
  }

  override async attach(...args: Parameters<MemoryControlPlane['attach']>): Promise<readonly LeaseOutcome[]> {
    this.attached.push(args[1]);
    return super.attach(...args);
  }
  readonly attached: (readonly Lease[])[] = [];

  override async appendLogs(...args: Parameters<MemoryControlPlane['appendLogs']>) {
    const { lines } = decodeLogFrame(args[0]);
    if (this.poison !== '' && lines.some(({ message }) => message.includes(this.poison))) {
      throw new AppError('VALIDATION_ERROR', 'A line is malformed');
    }
    const ack = await super.appendLogs(...args);
    this.after('appendLogs');
    return ack;
  }

  override async saveCheckpoint(...args: Parameters<MemoryControlPlane['saveCheckpoint']>) {
    const saved = await super.saveCheckpoint(...args);
    this.after('saveCheckpoint');
    return saved;
  }

  override async putDeadLetters(...args: Parameters<MemoryControlPlane['putDeadLetters']>) {
    const put = await super.putDeadLetters(...args);
    this.after('putDeadLetters');
    return put;
  }

  override async reportMetrics(...args: Parameters<MemoryControlPlane['reportMetrics']>) {
    const ack = await super.reportMetrics(...args);
    this.after('reportMetrics');
    return ack;
  }

  override async complete(...args: Parameters<MemoryControlPlane['complete']>) {
    const outcome = await super.complete(...args);
    if (outcome === 'ACCEPTED') this.accepted.push(args[0].lease.run_id);
    return outcome;
  }

  /** Forgets every executor, as a control plane does whose registrations were in memory. */
  forgetExecutors(): void {
    this.sessionTokens.clear();
  }
}

export interface Bench {
  readonly plane: TimedControlPlane;
  readonly executor: Executor;
  readonly folder: string;
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  /** The process that has the run now. */
  busyPid(): number;
}

export interface BenchOptions {
  readonly files?: Record<string, string>;
  readonly slots?: number;
  readonly limits?: Partial<ExecutorProcessLimits>;
  readonly wire?: Partial<ExecutorLimits>;
  readonly plane?: TimedControlPlane;
  /** What metrics backends may reach besides the policy; default: this machine. */
  readonly allow?: readonly string[];
}

/** An executor with its runners, at work over real gRPC; all of it is gone when the test ends. */
export async function startBench(t: Test, options: BenchOptions = {}): Promise<Bench> {
  const folder = t.testdir(options.files ?? {});
  const plane = options.plane ?? new TimedControlPlane();
  plane.limits = { ...plane.limits, ...options.wire };
  let server = grpcServer(plane);
  const port = await server.listen('127.0.0.1', 0);
  const executor = createExecutor({
    client: createGrpcClient({
      address: `127.0.0.1:${port}`,
      key: KEY,
      limits: { reconnectMinMs: 10, reconnectMaxMs: 50, closeMs: 300 },
    }),
    name: 'bench',
    instanceId: randomHex(8),
    version: '0.0.0',
    labels: {},
    slots: options.slots ?? 2,
    connectorTypes: CONNECTOR_TYPES,
    spoolDir: `${folder}/spool`,
    connectContext: { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 2_000 },
    outbound: outboundOf(t, options.allow),
    logger: silentLogger,
    clock: systemClock,
    random: Math.random,
    limits: { backoffMinMs: 20, backoffMaxMs: 200, ...options.limits },
  });
  t.teardown(async () => {
    await executor.stop({ drainMs: 0 });
    await server.stop(100);
  });
  await executor.start();
  return {
    plane,
    executor,
    folder,
    stopServer: () => server.stop(50),
    async startServer() {
      server = grpcServer(plane);
      await server.listen('127.0.0.1', port);
    },
    busyPid() {
      const busy = executor.stats().runners.find((runner) => !runner.idle);
      if (busy?.pid === undefined) throw new Error('No runner is busy');
      return busy.pid;
    },
  };
}

const lookMs = 5;
const patienceMs = 20_000;

/** Waits until `look` gives something; fails after 20 s, since processes start slowly on a busy machine. */
export async function eventually<T>(what: string, look: () => T | undefined | false | null): Promise<T> {
  const from = performance.now();
  while (performance.now() - from < patienceMs) {
    const found = look();
    if (found !== undefined && found !== false && found !== null) return found;
    await wait(lookMs);
  }
  throw new Error(`Waited in vain for ${what}`);
}

/** A connector for `RunSpec.connectors`. */
export function connector(type: string, config: unknown): RunSpec['connectors'][string] {
  return { id: 1, name: `a ${type}`, type, config };
}

export function messagesOf(run: MemoryRun): string[] {
  return run.lines.map((line) => line.message);
}

export function rowsOf(file: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(file);
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}
