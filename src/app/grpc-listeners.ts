import { readTlsFile } from '../base/files/tls-file.ts';
import type { Logger } from '../base/logger.ts';
import { isLoopback } from '../base/outbound/address.ts';
import type { Config } from '../config.ts';
import type { ExecutorKeyRegistry } from '../modules/executors/keys/executor-key-registry.ts';
import type { ControlPlane } from '../protocol/control-plane.ts';
import { createGrpcServer, type GrpcServer, type GrpcServerTls } from '../protocol/grpc-server.ts';
import { GRPC_SERVER_LIMITS } from '../protocol/grpc-server-limits.ts';

const STOP_MS = 2_000;
const LOOPBACK = '127.0.0.1';

export interface GrpcListenersDeps {
  readonly config: Config;
  readonly controlPlane: ControlPlane;
  readonly logger: Logger;
  /** Of executors that come from outside. */
  readonly executorKeys: Pick<ExecutorKeyRegistry, 'keys' | 'isRevokedKey' | 'used' | 'onChange'>;
  /** Of the executor that this server starts itself. */
  readonly embeddedKey: string;
}

export interface GrpcListeners {
  /** Where other executors connect. */
  readonly address: string;
  /** Where the executor of this server connects: always this machine, never through TLS. */
  readonly embeddedAddress: string;
  stop(): Promise<void>;
}

/**
 * Listens for executors where the settings say, with TLS where there is a certificate. The server's own executor shares that
 * listener while it is plain and on loopback, else it gets one of its own there, whose key nobody else has.
 */
export async function listenForExecutors(deps: GrpcListenersDeps): Promise<GrpcListeners> {
  const { grpc, executor } = deps.config;
  const apart = executor.embedded && (grpc.tls !== null || !isLoopback(grpc.host));
  const { executorKeys, embeddedKey } = deps;
  const keys = apart ? executorKeys.keys : () => [...executorKeys.keys(), embeddedKey];
  const open = createListener(deps, keys, tlsOf(deps.config));
  const unlisten = executorKeys.onChange(() => open.keysChanged());
  const port = await open.listen(grpc.host, grpc.port);
  const address = `${grpc.host}:${port}`;
  const stop = () => {
    unlisten();
    return open.stop(STOP_MS);
  };
  if (!apart) return { address, embeddedAddress: address, stop };
  const own = createListener(deps, () => [embeddedKey], {});
  const ownPort = await own.listen(LOOPBACK, 0);
  return {
    address,
    embeddedAddress: `${LOOPBACK}:${ownPort}`,
    stop: async () => void (await Promise.all([stop(), own.stop(STOP_MS)])),
  };
}

function createListener(
  deps: GrpcListenersDeps,
  keys: () => readonly string[],
  tls: { tls?: GrpcServerTls },
): GrpcServer {
  const { controlPlane, logger, executorKeys } = deps;
  return createGrpcServer({
    controlPlane,
    keys,
    isRevokedKey: executorKeys.isRevokedKey,
    onKeyUsed: executorKeys.used,
    reflection: deps.config.grpc.reflection,
    limits: GRPC_SERVER_LIMITS,
    logger,
    ...tls,
  });
}

function tlsOf({ grpc }: Config): { tls?: GrpcServerTls } {
  if (grpc.tls === null) return {};
  const { cert, key, client_ca } = grpc.tls;
  const clientCa = client_ca === null ? {} : { clientCa: readTlsFile(client_ca, 'SVC_GRPC_TLS_CLIENT_CA') };
  const pair = {
    cert: readTlsFile(cert, 'SVC_GRPC_TLS_CERT'),
    key: readTlsFile(key, 'SVC_GRPC_TLS_KEY'),
  };
  return { tls: { ...pair, ...clientCa } };
}
