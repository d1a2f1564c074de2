import { useQuery } from '@tanstack/react-query';
import { useApi } from '../state/api-context.ts';
import { meQuery } from './session.ts';

export const roles = ['viewer', 'operator', 'editor', 'admin', 'superadmin'] as const;
export type Role = (typeof roles)[number];

/** Whether the signed-in user has this role, or one above it. The server decides: this only leaves out what it would refuse. */
export function useMay(role: Role): boolean {
  const me = useQuery(meQuery(useApi())).data;
  return me !== undefined && roles.indexOf(me.role as Role) >= roles.indexOf(role);
}
