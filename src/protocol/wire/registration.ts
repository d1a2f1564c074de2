import type { ExecutorLimits, RegisterRequest, Registration } from '../control-plane.ts';
import { count, ownEntries, positive, present, text } from './scalars.ts';

export interface WireRegistration {
  readonly executor_id: number;
  readonly session_token: string;
  readonly protocol_version: number;
  readonly limits: ExecutorLimits | null;
}

export function toRegisterRequest(wire: RegisterRequest): RegisterRequest {
  return {
    name: text(wire.name, 'name'),
    instance_id: text(wire.instance_id, 'instance_id'),
    version: wire.version,
    protocol_version: count(wire.protocol_version, 'protocol_version'),
    features: wire.features,
    labels: ownEntries(wire.labels),
    slots: count(wire.slots, 'slots'),
    connector_types: wire.connector_types,
  };
}

export function toRegistration(wire: WireRegistration): Registration {
  return {
    executor_id: positive(wire.executor_id, 'executor_id'),
    session_token: wire.session_token,
    protocol_version: wire.protocol_version,
    limits: present(wire.limits, 'limits'),
  };
}
