import { AppError } from '../../base/errors.ts';
import { type Role, roleAtLeast } from '../../http/access.ts';
import type { TaskInfo } from '../../threads/messages/definition-info.ts';
import type { Actor } from '../audit/audit.ts';

/** Who may save and try tasks with script steps; `off`: nobody. */
export type ScriptsAllow = 'off' | 'admin' | 'editor';

/** Throws `FORBIDDEN` where a text has script steps that its author may not save. */
export type RequireScriptRight = (info: Pick<TaskInfo, 'scripts'>, actor: Actor) => void;

export function createScriptRight(allow: ScriptsAllow): RequireScriptRight {
  return ({ scripts }, { type, role }) => {
    if (scripts !== true) return;
    if (allow === 'off')
      throw new AppError('FORBIDDEN', 'The task has script steps, which are switched off (SVC_SCRIPTS=off)');
    // The command line on the server's machine is its administrator's.
    if (type === 'cli' || type === 'system' || mayTryScripts(allow, role)) return;
    throw new AppError(
      'FORBIDDEN',
      `The task has script steps, which run code: only the role ${allow} or one above may save it (SVC_SCRIPTS)`,
    );
  };
}

/** Whether a preview of this caller runs script steps. */
export function mayTryScripts(allow: ScriptsAllow, role: Role | undefined): boolean {
  return allow !== 'off' && role !== undefined && roleAtLeast(role, allow);
}
