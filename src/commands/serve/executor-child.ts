import { once } from 'node:events';
import type { LogFormat } from '../../base/logger.ts';
import { type RunExecutorOptions, runExecutor } from '../../executor/executor-main.ts';
import { version } from '../../version.ts';

/** First and only message from `serve` to the executor that it starts. */
export interface EmbeddedExecutorStart {
  readonly server: string;
  /** Valid for this start of the server alone; travels by the channel, never by the environment. */
  readonly key: string;
  readonly name: string;
  readonly instanceId: string;
  readonly slots: number;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
  readonly access: RunExecutorOptions['access'];
  readonly outbound: RunExecutorOptions['outbound'];
  readonly serverPorts: readonly number[];
  /** The one that connectors may not open: this process does not know the server's temporary folder. */
  readonly spoolDir: string;
}

/** Null where `serve` has ended before it had work to give. */
async function firstMessage(): Promise<EmbeddedExecutorStart | null> {
  if (!process.connected) return null;
  const told = once(process, 'message').then(([message]) => message as EmbeddedExecutorStart);
  const left = once(process, 'disconnect').then(() => null);
  return Promise.race([told, left]);
}

const start = await firstMessage();
if (start !== null) {
  process.exitCode = await runExecutor({ ...start, labels: {}, version, embedded: true });
  if (process.connected) process.disconnect();
}
