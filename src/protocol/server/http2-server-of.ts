import type { Http2SecureServer, Http2Server } from 'node:http2';
import type { Server } from '@grpc/grpc-js';

/**
 * The HTTP/2 server inside a gRPC server that has one connection injector. grpc-js has no public way to it, and no enforcement of
 * its own against pings, resets or settings; the version is pinned, and a start fails where the field has gone.
 */
export function http2ServerOf(server: Server): Http2Server | Http2SecureServer {
  const { http2Servers } = server as unknown as {
    readonly http2Servers?: ReadonlyMap<Http2Server | Http2SecureServer, unknown>;
  };
  const [found] = http2Servers?.keys() ?? [];
  if (found === undefined) throw new Error('This version of @grpc/grpc-js hides its HTTP/2 server');
  return found;
}
