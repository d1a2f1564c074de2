import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Lease } from '../../protocol/control-plane.ts';
import { toLease } from '../../protocol/wire/lease.ts';

/** Refuses a body whose lease is another run's than the path's: `VALIDATION_ERROR`. */
export function requireRunOfPath(runId: number, pathId: number): void {
  if (runId === pathId) return;
  const message = `"lease.run_id" is "${runId}", and the path names run "${pathId}": send each to its own path`;
  throw new AppError('VALIDATION_ERROR', message, { details: [{ path: 'lease.run_id', message }] });
}

/** The lease of a request without a body: run id from the path, the rest from headers. Query texts end up in logs of proxies. */
export function leaseOfHeaders(request: FastifyRequest, runId: number): Lease {
  const { headers } = request;
  return toLease({
    run_id: runId,
    attempt: numberIn(headers['x-lease-attempt'], 'x-lease-attempt'),
    epoch: numberIn(headers['x-lease-epoch'], 'x-lease-epoch'),
    token: textIn(headers['x-lease-token'], 'x-lease-token'),
  });
}

function textIn(value: string | string[] | undefined, name: string): string {
  if (typeof value === 'string') return value;
  throw new AppError('VALIDATION_ERROR', `The header "${name}" is missing; send the lease's`);
}

function numberIn(value: string | string[] | undefined, name: string): number {
  const text = textIn(value, name);
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new AppError('VALIDATION_ERROR', `The header "${name}" must be a whole number`);
}
