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
  0    it is done, and well
  1    it failed: a run ended in error, a document has problems, a test does not hold, a plan is blocked, nothing of that name
  2    wrong usage
  3    a plan would change something, where --fail-on-changes asks
  69   the server cannot be reached, or is not ready
  70   a fault of Headgate itself
  77   not permitted: the token is missing, wrong, or has no right to this
  78   the settings are wrong, or the state store cannot be opened
  130  interrupted`;
