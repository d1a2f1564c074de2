import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';

/** A definition with a version; archiving it makes no new one. */
interface Versioned {
  readonly version: number;
  readonly status?: unknown;
}

/** The strong ETag of a definition: its version, and whether it is archived. */
export function etagOf({ version, status }: Versioned): string {
  return status === 'archived' ? `"${version}-archived"` : `"${version}"`;
}

/** Sets the strong ETag of a definition at `version`. */
export function setEtag(reply: FastifyReply, version: number): void {
  reply.header('etag', etagOf({ version }));
}

/** 304 of a `GET`, for `OperationSpec.answers`; `isKnown` says when. */
export const notModified = z.null().describe('The client already has it (`If-None-Match`)');

/** The versions that a conditional write accepts; null: any. */
export type ExpectedVersions = readonly number[] | null;

const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;
const VERSION_TAG = /^"(\d{1,15})(?:-archived)?"$/;

/**
 * The versions that `If-Match` names, or null without it (or with `*`): last write wins. Compare them inside the transaction
 * with `requireVersion`. A weak tag, and one of another resource, match nothing (RFC 9110, 13.1.1).
 */
export function ifMatch(request: FastifyRequest): ExpectedVersions {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  const tags = header
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const versions = tags.flatMap((tag) => VERSION_TAG.exec(tag)?.[1] ?? []).map(Number);
  if (versions.length === 0 || !tags.every((tag) => ENTITY_TAG.test(tag)))
    throw new AppError(
      'PRECONDITION_FAILED',
      `If-Match ${header.slice(0, 40)} is not an ETag of this resource: send one that it was answered with, such as "3"`,
    );
  return versions;
}

/** `PRECONDITION_FAILED` if the record has changed since it was read. */
export function requireVersion(expected: ExpectedVersions, actual: number): void {
  if (expected === null || expected.includes(actual)) return;
  throw new AppError(
    'PRECONDITION_FAILED',
    `The resource has changed: it is at version ${actual}, If-Match says ${expected.join(', ')}`,
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
