import type { Selectable } from 'kysely';
import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { ROLES, type Role } from '../../http/access.ts';
import type { Schema } from '../../store/schema.ts';

export type UserRow = Selectable<Schema['users']>;

export const USER_STATUSES = ['active', 'disabled'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 200;

/** Emails are compared and stored in lower case. */
export const emailInput = z.email().max(254);
/** A password chosen by a person. */
export const passwordInput = z
  .string()
  .min(PASSWORD_LENGTH_MIN)
  .max(PASSWORD_LENGTH_MAX)
  .meta({ examples: ['correct horse battery staple'] });

export const userRecord = z
  .object({
    id: z.number().int(),
    email: z.string(),
    name: z.string(),
    role: z.string(),
    status: z.string(),
    totp_enabled: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'User' });

/** A user as the API returns it: never a hash, never a secret. */
export function toUser(row: UserRow) {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: roleOf(row.role),
    status: row.status,
    totp_enabled: row.totp_confirmed === 1,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}
export type UserRecord = ReturnType<typeof toUser>;

/** An unknown role counts as the lowest. */
export function roleOf(text: string): Role {
  return ROLES.find((role) => role === text) ?? 'viewer';
}
