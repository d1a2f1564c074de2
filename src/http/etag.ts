import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';

/** Sets the strong ETag of a definition at `version`. */
export function setEtag(reply: FastifyReply, version: number): void {
  reply.header('etag', `"${version}"`);
}

/**
 * The version that a conditional write expects, or null without `If-Match` (or with `*`): last write wins. Compare it inside
 * the transaction with `requireVersion`.
 */
export function ifMatch(request: FastifyRequest): number | null {
  const header = request.headers['if-match'];
  if (header === undefined || header === '*') return null;
  const match = /^"(\d{1,15})"$/.exec(header);
  if (match?.[1] === undefined) {
    throw new AppError(
      'PRECONDITION_FAILED',
      `If-Match ${header.slice(0, 40)} is not an ETag of this resource`,
    );
  }
  return Number(match[1]);
}

/** `PRECONDITION_FAILED` if the record has changed since it was read. */
export function requireVersion(expected: number | null, actual: number): void {
  if (expected === null || expected === actual) return;
  throw new AppError(
    'PRECONDITION_FAILED',
    `The resource has changed: it is at version ${actual}, If-Match says ${expected}`,
  );
}

/**
 * Whether the client has the answer with this ETag (RFC 9110, 13.1.2). Weak tags match too: a proxy that compresses the answer
 * weakens ours.
 */
export function isKnown(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'] ?? '';
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
