import type { Metadata } from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import type { ControlPlane, ExecutorIdentity } from '../control-plane.ts';
import type { ProveKey } from '../key-proof.ts';
import type { RpcName } from '../wire/definition/service-definition.ts';

/** What each RPC asks for: the executor key alone, or the key and a registered executor's session token. None is open. */
export const RPC_AUTH: Readonly<Record<RpcName, 'key' | 'session'>> = Object.freeze({
  Register: 'key',
  Session: 'session',
  AppendLogs: 'session',
  ReportMetrics: 'session',
  GetRunSpec: 'session',
  GetReplayRows: 'session',
  GetCheckpoint: 'session',
  SaveCheckpoint: 'session',
  WorkOnParts: 'session',
  PutDeadLetters: 'session',
  Deregister: 'session',
});

const SCHEME = 'Bearer ';
const ID_PATTERN = /^[1-9]\d{0,14}$/;

/** A metadata field that occurs once; else the empty text. */
function only(metadata: Metadata, name: string): string {
  const [value, another] = metadata.get(name);
  return typeof value === 'string' && another === undefined ? value : '';
}

/** The fingerprint of the valid key that a call carries. `AUTH_ERROR` where there is none. */
export function keyOf(metadata: Metadata, proveKey: ProveKey): string {
  const header = only(metadata, 'authorization');
  const fingerprint = header.startsWith(SCHEME) ? proveKey(header.slice(SCHEME.length)) : null;
  if (fingerprint !== null) return fingerprint;
  throw new AppError('AUTH_ERROR', 'Send "authorization: Bearer" with a valid executor key');
}

function identityOf(metadata: Metadata): ExecutorIdentity {
  const id = only(metadata, 'x-executor-id');
  const session_token = only(metadata, 'x-session-token');
  if (!ID_PATTERN.test(id) || session_token === '') {
    throw new AppError('AUTH_ERROR', 'Send "x-executor-id" and "x-session-token" as returned by "Register"');
  }
  return { executor_id: Number(id), session_token };
}

/** Who calls: the key's fingerprint, and the executor, or `null` for an RPC that needs the key alone. */
export interface Caller {
  readonly key: string;
  readonly executor: ExecutorIdentity | null;
}

/** Checks the metadata of a call. `AUTH_ERROR` where the key, the executor id or the session token is missing or wrong. */
export type Authenticator = (rpc: RpcName, metadata: Metadata) => Promise<Caller>;

export function createAuthenticator(
  controlPlane: Pick<ControlPlane, 'authenticate'>,
  proveKey: ProveKey,
): Authenticator {
  return async (rpc, metadata) => {
    const key = keyOf(metadata, proveKey);
    if (RPC_AUTH[rpc] === 'key') return { key, executor: null };
    const executor = identityOf(metadata);
    await controlPlane.authenticate(executor);
    // It may have been revoked meanwhile, when nothing was open yet that could be ended.
    keyOf(metadata, proveKey);
    return { key, executor };
  };
}
