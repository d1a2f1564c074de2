import { once } from 'node:events';
import { runExecutor } from '../executor/executor-main.ts';
import { version } from '../version.ts';

/** First and only message from `serve` to the executor that it starts. */
export interface EmbeddedExecutorStart {
  readonly server: string;
  /** Valid for this start of the server alone; travels by the channel, never by the environment. */
  readonly key: string;
  readonly name: string;
  readonly instanceId: string;
  readonly slots: number;
  readonly logLevel: string;
  readonly access: {
    readonly fileRoots: readonly string[];
    readonly forbiddenFiles: readonly string[];
    readonly connectTimeoutMs: number;
  };
}

const [start] = (await once(process, 'message')) as [EmbeddedExecutorStart];
process.exitCode = await runExecutor({ ...start, labels: {}, version, embedded: true });
if (process.connected) process.disconnect();
