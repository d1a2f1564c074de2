import { createOutbound, type Outbound } from '../base/outbound/outbound.ts';
import type { OutboundAccess } from '../base/outbound/outbound-policy.ts';
import { outboundRules } from '../base/outbound/outbound-policy.ts';
import type { Config } from '../config.ts';

/** A model may think as long as its longest timeout allows before its answer begins, and between two pieces of it. */
const MODEL_SILENT_MS = 600_000;
const POSTGRES_PORT = 5_432;
/** Of one answer of a model; streams say the same in many more bytes. */
const MODEL_BYTES_MAX = 32 * 1_048_576;

/** The ways out of the server for addresses that users give; all under one policy. */
export interface OutboundWays {
  /** Of webhooks and metrics backends. */
  readonly outbound: Outbound;
  /** To the model provider. An address that the environment gives is let through: whoever runs the server has chosen it. */
  readonly modelOutbound: Outbound;
}

/** The port of the state database, where there is one. */
export function statePorts({ state }: Pick<Config, 'state'>): readonly number[] {
  const url = state.serverdb === undefined ? null : URL.parse(state.serverdb.url);
  return url === null ? [] : [Number(url.searchParams.get('port') ?? (url.port || POSTGRES_PORT))];
}

/** Where connectors that take a URL may connect, for the processes that open them. */
export function outboundAccessOf(
  config: Pick<Config, 'outbound' | 'state' | 'http' | 'grpc'>,
): OutboundAccess {
  return { ...config.outbound, ownPorts: [config.http.port, config.grpc.port, ...statePorts(config)] };
}

/** `ownPorts` grows as the server comes to listen. */
export function createOutboundWays(
  { outbound, ai }: Pick<Config, 'outbound' | 'ai'>,
  ownPorts: Iterable<number>,
): OutboundWays {
  const rulesWith = (allow: readonly string[]) => outboundRules({ ...outbound, allow }, ownPorts);
  const chosen = ai.base_url === null ? [] : [hostAndPort(new URL(ai.base_url))];
  return {
    outbound: createOutbound({ rules: rulesWith(outbound.allow) }),
    modelOutbound: createOutbound({
      rules: rulesWith([...outbound.allow, ...chosen]),
      limits: { headersMs: MODEL_SILENT_MS, bodyMs: MODEL_SILENT_MS, responseBytesMax: MODEL_BYTES_MAX },
    }),
  };
}

function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
