import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { S3Client } from '@aws-sdk/client-s3';
import { createOutbound, type Outbound } from '../../../base/outbound/outbound.ts';
import { outboundRules } from '../../../base/outbound/outbound-policy.ts';
import { type ConnectContext, ConnectorError } from '../../driver.ts';
import type { S3Config } from './s3-config.ts';

const ANSWER_MS = 60_000;
const ATTEMPTS = 4;
const SOCKETS_MAX = 32;

interface Target {
  readonly host?: string;
  readonly port?: number | string;
}

/** Every connection is judged by the address that it goes to, right before it is made. */
function guardedAgents(outbound: Outbound): { readonly http: HttpAgent; readonly https: HttpsAgent } {
  const socketTo = ({ host = '', port = 0 }: Target) =>
    outbound.socket().connect({ host, port: Number(port) });
  class GuardedHttp extends HttpAgent {
    override createConnection(options: object) {
      return socketTo(options as Target);
    }
  }
  class GuardedHttps extends HttpsAgent {
    override createConnection(options: object) {
      return connectTls({ ...(options as ConnectionOptions), socket: socketTo(options as Target) });
    }
  }
  const options = { keepAlive: true, maxSockets: SOCKETS_MAX };
  return { http: new GuardedHttp(options), https: new GuardedHttps(options) };
}

/** A client that takes nothing from the environment of this process: no credentials, no endpoint, no profile. */
export async function createS3Client(config: S3Config, context: ConnectContext): Promise<S3Client> {
  const access = context.outbound ?? { policy: 'allowlist' as const, allow: [], ownPorts: [] };
  const outbound = createOutbound({ rules: outboundRules(access, access.ownPorts) });
  const { endpoint, region = 'us-east-1', access_key_id: accessKeyId, path_style } = config.s3 ?? {};
  if (endpoint !== undefined) refuseUrl(outbound, endpoint);
  const [{ S3Client }, { NodeHttpHandler }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@smithy/node-http-handler'),
  ]);
  const agents = guardedAgents(outbound);
  const { secret_access_key: secretAccessKey = '', session_token: sessionToken } = config;
  return new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: path_style ?? endpoint !== undefined,
    ignoreConfiguredEndpointUrls: true,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    credentials: {
      accessKeyId: accessKeyId ?? 'anonymous',
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
    },
    // Requests to a public bucket carry no signature.
    ...(accessKeyId === undefined && { signer: { sign: async (request) => request } }),
    maxAttempts: ATTEMPTS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: new NodeHttpHandler({
      httpAgent: agents.http,
      httpsAgent: agents.https,
      connectionTimeout: context.connectTimeoutMs,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
    }),
  });
}

function refuseUrl(outbound: Outbound, url: string): void {
  try {
    outbound.checkUrl(url);
  } catch (cause) {
    throw new ConnectorError('CONFIG', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
