import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { GrpcServerLimits } from '../../grpc-server-limits.ts';
import { TokenBucket } from './token-bucket.ts';

export type FrameLimits = Pick<GrpcServerLimits, 'pings' | 'resets' | 'settingsFrames' | 'unprovedCallsMax'>;

export interface FrameGuardOptions {
  readonly session: ServerHttp2Session;
  readonly limits: FrameLimits;
  /** Whether the connection has proved a key by now. */
  readonly isProved: () => boolean;
  /** The session was closed for this. */
  readonly refused: (why: string) => void;
}

/**
 * Closes a session (GOAWAY, `ENHANCE_YOUR_CALM`) whose peer sends more pings, settings or resets than its rate, or more calls
 * than a connection may make that has proved nothing. What HTTP/2 itself forbids, and a peer that does not read its
 * acknowledgements, the transport ends by itself.
 * Source: RFC 9113, 10.5; CVE-2019-9512, CVE-2019-9515, CVE-2023-44487.
 */
export function guardFrames({ session, limits, isProved, refused }: FrameGuardOptions): void {
  const now = performance.now();
  const pings = new TokenBucket(limits.pings, now);
  const resets = new TokenBucket(limits.resets, now);
  const settings = new TokenBucket(limits.settingsFrames, now);
  let calls = 0;
  let isClosed = false;

  function close(why: string): void {
    if (isClosed) return;
    isClosed = true;
    refused(why);
    if (session.destroyed) return;
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    session.destroy();
  }

  session.on('ping', () => {
    if (!pings.take(performance.now())) close('too many pings');
  });
  session.on('remoteSettings', () => {
    if (!settings.take(performance.now())) close('too many settings');
  });
  session.on('stream', (stream: ServerHttp2Stream) => {
    calls += 1;
    if (calls > limits.unprovedCallsMax && !isProved()) {
      close('too many calls without a valid key');
      return;
    }
    stream.once('close', () => {
      // Set by the peer's reset too; 0 is how the server itself ends a call that it answered early.
      const { rstCode } = stream;
      if (rstCode !== undefined && rstCode !== 0 && !resets.take(performance.now())) close('too many resets');
    });
  });
}
