import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Config } from '../config.ts';
import { FailureLog } from '../metering/failure-log.ts';

/**
 * Where no proxy is trusted: warns, at most once a minute, of requests that came through one. All people behind it have its address,
 * so that five wrong passwords of one lock out everybody.
 */
export function warnOfUntrustedProxies(
  http: FastifyInstance,
  { config, clock, logger }: { readonly config: Config; readonly clock: Clock; readonly logger: Logger },
): void {
  if (config.http.trust_proxy !== 0) return;
  const log = new FailureLog({
    clock,
    logger,
    message: 'requests with X-Forwarded-For, which is not trusted',
  });
  http.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['x-forwarded-for'] !== undefined)
      log.add('behind a proxy, set SVC_TRUST_PROXY: all people share its address and its limits', {
        address: request.ip,
      });
    done();
  });
}
