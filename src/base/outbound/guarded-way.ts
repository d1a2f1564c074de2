import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import { parseAddress } from './address.ts';
import { guardedLookup } from './guarded-socket.ts';
import type { OutboundAnswer, OutboundRequest } from './outbound-answer.ts';
import type { OutboundLimits, ResolveAll } from './outbound-limits.ts';
import { hostOf, mayReach, type OutboundRules, portOf, refused } from './outbound-policy.ts';
import { requestWhole } from './request-whole.ts';

/** Connections each of which is judged by the address that it goes to. */
export interface GuardedWay {
  fetch(url: URL, init: RequestInit): Promise<Response>;
  request(url: URL, request: OutboundRequest, bytesMax: number): Promise<OutboundAnswer>;
  /** Ends every connection. */
  close(): Promise<void>;
}

export function openGuardedWay(
  rules: OutboundRules,
  limits: OutboundLimits,
  resolve: ResolveAll,
): GuardedWay {
  const agent = new Agent({
    connect: guardedConnector(rules, resolve, limits.connectMs),
    connections: limits.connections,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyMs,
    allowH2: false,
  });
  return {
    // undici's own `fetch` and not the platform's: a dispatcher works only with the version that it is of.
    async fetch(url, init) {
      const options = { ...init, dispatcher: agent } as Parameters<typeof undiciFetch>[1];
      return (await undiciFetch(url, options)) as unknown as Response;
    },
    request: (url, request, bytesMax) => requestWhole(agent, url, request, bytesMax),
    close: () => agent.destroy(),
  };
}

/** Literals are judged here, because sockets look only names up; names in the look-up, whose answer is what is connected to. */
function guardedConnector(
  rules: OutboundRules,
  resolve: ResolveAll,
  timeout: number,
): buildConnector.connector {
  return (options, done) => {
    const host = hostOf(options.hostname);
    const port = portOf({ port: options.port, protocol: options.protocol });
    const literal = parseAddress(host);
    if (literal !== null && !mayReach(rules, { host, port, address: literal }))
      return done(refused(rules, host), null);
    const lookup = guardedLookup(rules, resolve, { host, port });
    const connect = buildConnector({ timeout, allowH2: false, lookup } as buildConnector.BuildOptions);
    connect(options, (error, socket) => {
      if (error !== null || socket === null) return done(error ?? new Error('no socket'), null);
      // Whatever the way to it: what is connected to now is what was let through.
      const address = parseAddress(socket.remoteAddress ?? '');
      if (mayReach(rules, { host, port, address })) return done(null, socket);
      socket.destroy();
      done(refused(rules, host), null);
    });
  };
}
