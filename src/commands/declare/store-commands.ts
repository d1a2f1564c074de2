import { Argument, type Command, Option } from 'commander';
import type { UserAction } from '../user.ts';
import { jsonOption } from './option-values.ts';

const ROLES = ['viewer', 'operator', 'editor', 'admin', 'superadmin'] as const;
type Role = (typeof ROLES)[number];

const STORE_HELP = '\nUses the same state store as `headgate serve`, from the environment and headgate.yaml.';

/** Commands that open the state store, for those who have access to the server’s machine and settings. */
export function addStoreCommands(program: Command): void {
  program
    .command('migrate')
    .description('migrate the state store to this version’s schema, as the server does at start')
    .option('--check', 'only list pending migrations; exit code 1 if there are any', false)
    .addOption(jsonOption())
    .addHelpText('after', `${STORE_HELP}\n\nExample:\n  headgate migrate --check`)
    .action(async (options: import('../store/migrate.ts').MigrateOptions) => {
      const { migrate } = await import('../store/migrate.ts');
      process.exitCode = await migrate(options);
    });
  program
    .command('rotate-keys')
    .description('re-encrypt all stored secrets with the current master key')
    .option(
      '--discard-unreadable',
      'remove secrets that no configured key can decrypt, if a master key is permanently lost',
      false,
    )
    .option('-y, --yes', 'with --discard-unreadable: remove them without asking', false)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${STORE_HELP}

To change the master key:
  1. Set SVC_ENCRYPTION_KEY to the new key and SVC_PREVIOUS_ENCRYPTION_KEYS to the old one, and restart every server.
     If no key was set, the old one is in headgate.key next to the state store.
  2. Run headgate rotate-keys with the same settings. Servers may keep running; an interrupted rotation can be resumed.
  3. Remove the old key from the settings.

Example:
  headgate rotate-keys --json`,
    )
    .action(async (options: import('../store/rotate-keys.ts').RotateKeysOptions) => {
      const { rotateKeys } = await import('../store/rotate-keys.ts');
      process.exitCode = await rotateKeys(options);
    });
  addBackupCommands(program);
  addUserCommands(program);
}

function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write state, logs and metrics to one file; the server may keep running')
    .argument('<file>', 'a new file; it appears once it is complete')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${STORE_HELP}

The file is a consistent snapshot. With SQLite it needs as much additional free space next to the file as the state
uses. It never contains master keys: the command prints which one a restore needs. It contains password hashes, logs and
dead letters in plain text: keep it as safe as the state.

Example:
  headgate backup /backups/headgate-$(date +%F).backup`,
    )
    .action(async (file: string, options: { json: boolean }) => {
      const { backup } = await import('../store/backup.ts');
      process.exitCode = await backup(file, options);
    });
  program
    .command('restore')
    .description('replace the state with a backup, atomically')
    .argument('<file>', 'a file written by `headgate backup`')
    .option('--force', 'replace existing state', false)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${STORE_HELP}

Stop every server first. Set SVC_ENCRYPTION_KEY to the master key of the backup, or put its headgate.key beside the
state store. A backup of SQLite goes to SQLite, one of PostgreSQL to PostgreSQL; one of an earlier version is migrated.
Nothing is changed if the backup is damaged, if it comes from a newer version, or if the master key does not fit.

Example:
  headgate restore /backups/headgate-2026-11-23.backup`,
    )
    .action(async (file: string, options: { json: boolean; force: boolean }) => {
      const { restore } = await import('../store/backup.ts');
      process.exitCode = await restore(file, options);
    });
}

function addUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description('manage users without signing in')
    .addHelpText(
      'after',
      `${STORE_HELP}\nPasswords are prompted for, or read from standard input.\n\nExample:\n  headgate user reset-totp ada@example.com`,
    );
  user
    .command('list')
    .description('list users')
    .addHelpText('after', '\nExample:\n  headgate user list --role superadmin')
    .addOption(new Option('--role <role>', 'only users with this role').choices(ROLES))
    .addOption(jsonOption())
    .action(async (options: { json: boolean; role?: Role }) => {
      const { listUsers } = await import('../user.ts');
      process.exitCode = await listUsers(options);
    });
  addUserCommand(
    user,
    'create ada@example.com --role editor < password.txt',
    'create a user; the password is prompted for or piped in',
  )
    .option('--name <name>', 'display name (default: the email address)')
    .addOption(new Option('--role <role>', 'role of the user').choices(ROLES).default('viewer'))
    .action(async (email: string, { name, role, json }: { name?: string; role: Role; json: boolean }) =>
      change(email, { kind: 'create', name: name ?? email, role }, json),
    );
  addUserCommand(user, 'set-role ada@example.com admin', 'change a user’s role')
    .addArgument(new Argument('<role>', 'the new role').choices(ROLES))
    .action(async (email: string, role: Role, { json }: { json: boolean }) =>
      change(email, { kind: 'change', patch: { role } }, json),
    );
  addUserCommand(user, 'disable ada@example.com', 'disable a user and end their sessions').action(
    async (email: string, { json }: { json: boolean }) =>
      change(email, { kind: 'change', patch: { status: 'disabled' } }, json),
  );
  addUserCommand(user, 'enable ada@example.com', 'enable a disabled user').action(
    async (email: string, { json }: { json: boolean }) =>
      change(email, { kind: 'change', patch: { status: 'active' } }, json),
  );
  addUnlock(user);
  addUserCommand(
    user,
    'reset-totp ada@example.com',
    'reset a user’s one-time codes (TOTP); they enrol again at the next sign-in',
  ).action(async (email: string, { json }: { json: boolean }) => change(email, { kind: 'reset-totp' }, json));
  addUserCommand(
    user,
    'reset-password ada@example.com --generate',
    'set a new password; prompted for or piped in',
  )
    .option('--generate', 'generate a password and print it once', false)
    .action(async (email: string, { generate, json }: { generate: boolean; json: boolean }) =>
      change(email, { kind: 'reset-password', generate }, json),
    );
}

function addUnlock(user: Command): void {
  user
    .command('unlock')
    .description('clear failed sign-ins of a user or from an address, to allow signing in again immediately')
    .argument('[email]', 'email address of the user')
    .option('--address <address>', 'IP address of the locked network; IPv6: the whole /64')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Five wrong passwords lock a network for all accounts; unlocking an email address alone does not clear that. The address is in
GET /api/audit-logs; behind a proxy without SVC_TRUST_PROXY it is the proxy’s.

Examples:
  headgate user unlock ada@example.com
  headgate user unlock --address 203.0.113.7`,
    )
    .action(async (email: string | undefined, options: import('../user.ts').UnlockOptions) => {
      const { unlock } = await import('../user.ts');
      process.exitCode = await unlock(email, options);
    });
}

/** A subcommand of `user` that takes an email address; its name is the first word of its example. */
function addUserCommand(user: Command, example: string, about: string): Command {
  return user
    .command(example.split(' ', 1)[0] ?? '')
    .description(about)
    .argument('<email>', 'email address of the user')
    .addOption(jsonOption())
    .addHelpText('after', `\nExample:\n  headgate user ${example}`);
}

async function change(email: string, action: UserAction, json: boolean): Promise<void> {
  const { changeUser } = await import('../user.ts');
  process.exitCode = await changeUser(email, action, { json });
}
