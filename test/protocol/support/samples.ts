import type { Completion, ExecutorLimits, Lease, LogLine } from '../../../src/protocol/control-plane.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/control-plane.ts';
import { toLine } from '../../support/log-lines.ts';

export const LIMITS: ExecutorLimits = {
  lease_ttl_ms: 30_000,
  heartbeat_ms: 10_000,
  reconnect_grace_ms: 60_000,
  log_batch_lines_max: 1_000,
  log_batch_bytes_max: 1_000_000,
  log_line_bytes_max: 32_768,
  assignment_ack_ms: 5_000,
};

export const REGISTER_REQUEST = {
  name: 'executor-a',
  instance_id: 'instance-1',
  version: '0.1.0',
  protocol_version: PROTOCOL_VERSION,
  features: ['spool'],
  labels: { zone: 'eu', ['__proto__x']: 'kept' },
  slots: 4,
  connector_types: ['http', 'postgres'],
};

export function logLines(count: number, from = 1): LogLine[] {
  return Array.from({ length: count }, (_, i) =>
    toLine({
      at: 1_700_000_000_000 + i,
      level: (['debug', 'info', 'warn', 'error'] as const)[i % 4] ?? 'info',
      step_id: i % 2 === 0 ? 'extract' : '',
      message: `line ${from + i} ünï ☃`,
      fields: i % 3 === 0 ? { row: i, nested: { ok: true } } : null,
    }),
  );
}

export function completionOf(lease: Lease): Completion {
  return {
    lease,
    status: 'warning',
    reason: 'item_errors',
    failure: { code: 'CONNECTOR_ERROR', message: 'one row failed', step_id: 'load' },
    rows_in: 10,
    rows_out: 9,
    rows_failed: 1,
    rows_skipped: 0,
    rows_filtered: 4,
    rows_deleted: 2,
    last_log_seq: 3,
    steps: [
      {
        step_id: 'load',
        kind: 'write',
        status: 'warning',
        rows_in: 10,
        rows_out: 9,
        rows_failed: 1,
        rows_skipped: 0,
        rows_filtered: 4,
        rows_deleted: 2,
        started_at: 1_700_000_000_000,
        ended_at: 1_700_000_000_500,
        attempts: 2,
        error: '',
        cursor: { from: '2024-01-01', to: null },
        schema_changes: [
          { object: 'prices', column: 'amount', from: 'integer', to: 'bigint' },
          { object: 'prices', column: 'day', from: null, to: 'date' },
        ],
        verification: {
          source: 'shop.orders',
          target: 'warehouse.orders',
          equal: false,
          rows_source: 3,
          rows_target: 3,
          differing: 1,
          missing: 1,
          surplus: 1,
          settled: 2,
          reloaded: 0,
          sample: 0.5,
          columns: [{ column: 'amount', differing: 1 }],
          left_out: ['note'],
          digested: { source: 'engine', target: 'rows' },
          differences: [
            {
              kind: 'differing',
              key: { id: '7' },
              columns: [{ column: 'amount', source: '1.5', target: null }],
            },
            { kind: 'missing', key: { id: null }, columns: [] },
          ],
        },
      },
    ],
    args: { since: '2024-01-01', deep: [1, null] },
    retryable: true,
    outputs: { count: 9, list: [1, null, 'x'] },
  };
}
