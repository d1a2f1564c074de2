import { createOutbound } from '../../base/outbound/outbound.ts';
import { outboundRules } from '../../base/outbound/outbound-policy.ts';
import { type ConnectContext, ConnectorError } from '../driver.ts';
import type { HttpConfig } from './config.ts';
import { HttpExchange } from './exchange.ts';
import type { HttpSource } from './list/list-rows.ts';
import { compileRules } from './verdict.ts';

/** An API that requests may be sent to, and the way to it. */
export interface OpenApi extends HttpSource {
  /** By its user. What a run's connections share stays open until the run ends. */
  close(): Promise<void>;
}

/**
 * One way to the API for all connections of a run: they share its limit of rate, its token and its sockets. Throws `CONFIG` for an
 * address that the outbound rules refuse, and for rules that cannot be read.
 */
export async function openApi(config: HttpConfig, context: ConnectContext): Promise<OpenApi> {
  const { shared } = context;
  const open = () => openOwnApi(config, context);
  if (shared === undefined) return open();
  return { ...(await shared.take(open, (api) => api.close())), close: async () => undefined };
}

async function openOwnApi(config: HttpConfig, context: ConnectContext): Promise<OpenApi> {
  const access = context.outbound ?? { policy: 'allowlist' as const, allow: [], ownPorts: [] };
  const { timeout_ms } = config;
  const outbound = createOutbound({
    rules: outboundRules(access, access.ownPorts),
    limits: {
      connectMs: Math.min(timeout_ms, context.connectTimeoutMs),
      headersMs: timeout_ms,
      bodyMs: timeout_ms,
      responseBytesMax: config.max_response_bytes,
    },
  });
  try {
    outbound.checkUrl(config.base_url);
  } catch (cause) {
    throw new ConnectorError('CONFIG', cause instanceof Error ? cause.message : String(cause), { cause });
  }
  return {
    config,
    exchange: new HttpExchange(config, outbound, await compileRules(config.errors)),
    close: () => outbound.close(),
  };
}
