import type { ControlPlane, ExecutorIdentity, Lease, RegisterRequest } from '../control-plane.ts';
import { fromCheckpoint, fromSaved, toSaveCheckpoint, type WireSaveCheckpoint } from '../wire/checkpoint.ts';
import type { RpcName } from '../wire/definition/service-definition.ts';
import { toLease } from '../wire/lease.ts';
import { toRegisterRequest } from '../wire/registration.ts';
import { fromReplayRows } from '../wire/replay-rows.ts';
import { fromRunSpec } from '../wire/run-spec.ts';
import { count, present, text } from '../wire/scalars.ts';

export const UNARY_NAMES = [
  'Register',
  'GetRunSpec',
  'GetReplayRows',
  'GetCheckpoint',
  'SaveCheckpoint',
  'Deregister',
] as const satisfies readonly RpcName[];
export type UnaryName = (typeof UNARY_NAMES)[number];

interface Leased {
  readonly lease: Lease | null;
  readonly name: string;
}

/** Answers one decoded request. `executor` is `null` where the RPC asks for the key alone. */
export async function answerUnary(
  controlPlane: ControlPlane,
  rpc: UnaryName,
  request: object,
  executor: ExecutorIdentity | null,
): Promise<object> {
  switch (rpc) {
    case 'Register':
      return controlPlane.register(toRegisterRequest(request as RegisterRequest));
    case 'GetRunSpec':
      return fromRunSpec(await controlPlane.runSpec(toLease((request as Leased).lease)));
    case 'GetReplayRows': {
      const { lease, after } = request as Leased & { readonly after: number };
      return fromReplayRows(await controlPlane.replayRows(toLease(lease), count(after, 'after')));
    }
    case 'GetCheckpoint': {
      const { lease, name } = request as Leased;
      return fromCheckpoint(await controlPlane.checkpoint(toLease(lease), text(name, 'name')));
    }
    case 'SaveCheckpoint':
      return fromSaved(await controlPlane.saveCheckpoint(toSaveCheckpoint(request as WireSaveCheckpoint)));
    case 'Deregister':
      return { requeued: await controlPlane.deregister(present(executor, 'x-executor-id')) };
    default:
      return rpc satisfies never;
  }
}
