import type { Metadata } from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import { secretsEqual } from '../../base/ids.ts';
import type { ControlPlane, ExecutorIdentity } from '../control-plane.ts';
import type { RpcName } from '../wire/service-definition.ts';

/** What each RPC asks for: the executor key alone, or the key and a registered executor's session token. None is open. */
export const RPC_AUTH: Readonly<Record<RpcName, 'key' | 'session'>> = Object.freeze({
  Register: 'key',
  Session: 'session',
  AppendLogs: 'session',
  ReportMetrics: 'session',
  GetRunSpec: 'session',
  GetCheckpoint: 'session',
  SaveCheckpoint: 'session',
  PutDeadLetters: 'session',
  Deregister: 'session',
});

const SCHEME = 'Bearer ';
const ID_PATTERN = /^[1-9]\d{0,14}$/;

function only(metadata: Metadata, name: string): string {
  const [value, another] = metadata.get(name);
  return typeof value === 'string' && another === undefined ? value : '';
}

/** Compares with every key, whichever fits, so that the time taken says nothing. */
function holdsKey(metadata: Metadata, keys: readonly string[]): boolean {
  const header = only(metadata, 'authorization');
  const presented = header.startsWith(SCHEME) ? header.slice(SCHEME.length) : '';
  let found = false;
  for (const key of keys) found = (secretsEqual(key, presented) && key !== '') || found;
  return found;
}

function identityOf(metadata: Metadata): ExecutorIdentity {
  const id = only(metadata, 'x-executor-id');
  const session_token = only(metadata, 'x-session-token');
  if (!ID_PATTERN.test(id) || session_token === '') {
    throw new AppError(
      'AUTH_ERROR',
      'Send "x-executor-id" and "x-session-token" as "Register" has given them',
    );
  }
  return { executor_id: Number(id), session_token };
}

/**
 * Checks the metadata of a call; the answer is the executor, or `null` for an RPC that needs the key alone. `AUTH_ERROR` where
 * the key, the executor id or the session token is missing or wrong.
 */
export type Authenticator = (rpc: RpcName, metadata: Metadata) => Promise<ExecutorIdentity | null>;

export function createAuthenticator(
  controlPlane: Pick<ControlPlane, 'authenticate'>,
  keys: () => readonly string[],
): Authenticator {
  return async (rpc, metadata) => {
    if (!holdsKey(metadata, keys())) {
      throw new AppError('AUTH_ERROR', 'Send "authorization: Bearer" with a valid executor key');
    }
    if (RPC_AUTH[rpc] === 'key') return null;
    const identity = identityOf(metadata);
    await controlPlane.authenticate(identity);
    return identity;
  };
}
