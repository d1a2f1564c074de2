/** How a command ends. Source of those from 64 on: sysexits.h. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  changes: 3,
  unavailable: 69,
  fault: 70,
  forbidden: 77,
  config: 78,
  interrupted: 130,
} as const;

export const EXIT_HELP = `
Exit codes:
  0    done
  1    failed: a run ended in error, a document is invalid, a test failed, a plan is blocked, nothing has that name
  2    wrong usage
  3    a plan contains changes, with --fail-on-changes; or verify has found that the rows differ
  69   the server, or the PostgreSQL server of the state, is unreachable or not ready
  70   internal error in Headgate
  77   not permitted: the token is missing, wrong or lacks a permission
  78   invalid settings, or the state store cannot be opened
  130  interrupted`;
