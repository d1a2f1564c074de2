import { Argument, type Command, Option } from 'commander';
import type { UserAction } from '../user.ts';
import { jsonOption } from './option-values.ts';

const ROLES = ['viewer', 'operator', 'editor', 'admin', 'superadmin'] as const;
type Role = (typeof ROLES)[number];

const STORE_HELP =
  '\nIt opens the state store of the settings (environment and headgate.yaml), as `headgate serve` would.';

/** Commands beside the store, for whoever has the server’s machine and settings. */
export function addStoreCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the state store to this version’s schema, as a start of the server would')
    .option('--check', 'only tell what is pending; exit code 1 where something is', false)
    .addOption(jsonOption())
    .addHelpText('after', `${STORE_HELP}\n\nExample:\n  headgate migrate --check`)
    .action(async (options: import('../migrate.ts').MigrateOptions) => {
      const { migrate } = await import('../migrate.ts');
      process.exitCode = await migrate(options);
    });
  program
    .command('rotate-keys')
    .description('encrypt every stored secret with the current master key')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${STORE_HELP}

To change the master key:
  1. Set SVC_ENCRYPTION_KEY to the new key and SVC_PREVIOUS_ENCRYPTION_KEYS to the old one, and restart every server.
     Where no key was set, the old one is in headgate.key beside the state store.
  2. headgate rotate-keys, with the same settings. Servers may run; a rotation that was interrupted goes on.
  3. Take the old key out of the settings.

Example:
  headgate rotate-keys --json`,
    )
    .action(async (options: { json: boolean }) => {
      const { rotateKeys } = await import('../rotate-keys.ts');
      process.exitCode = await rotateKeys(options);
    });
  addUserCommands(program);
}

function addUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description('see and change who may sign in, without signing in')
    .addHelpText(
      'after',
      `${STORE_HELP}\nPasswords are typed, or read from standard input.\n\nExample:\n  headgate user reset-totp ada@example.com`,
    );
  user
    .command('list')
    .description('everybody who may sign in')
    .addHelpText('after', '\nExample:\n  headgate user list --role superadmin')
    .addOption(new Option('--role <role>', 'only with this role').choices(ROLES))
    .addOption(jsonOption())
    .action(async (options: { json: boolean; role?: Role }) => {
      const { listUsers } = await import('../user.ts');
      process.exitCode = await listUsers(options);
    });
  addUserCommand(
    user,
    'create ada@example.com --role editor < password.txt',
    'add somebody, with a password that is typed or piped in',
  )
    .option('--name <name>', 'the name that others see (default: the email)')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).default('viewer'))
    .action(async (email: string, { name, role, json }: { name?: string; role: Role; json: boolean }) =>
      change(email, { kind: 'create', name: name ?? email, role }, json),
    );
  addUserCommand(user, 'set-role ada@example.com admin', 'change what somebody may do')
    .addArgument(new Argument('<role>', 'the new role').choices(ROLES))
    .action(async (email: string, role: Role, { json }: { json: boolean }) =>
      change(email, { kind: 'change', patch: { role } }, json),
    );
  addUserCommand(
    user,
    'disable ada@example.com',
    'let somebody no longer sign in; ends their sessions',
  ).action(async (email: string, { json }: { json: boolean }) =>
    change(email, { kind: 'change', patch: { status: 'disabled' } }, json),
  );
  addUserCommand(user, 'enable ada@example.com', 'let somebody sign in again').action(
    async (email: string, { json }: { json: boolean }) =>
      change(email, { kind: 'change', patch: { status: 'active' } }, json),
  );
  addUserCommand(user, 'reset-totp ada@example.com', 'let somebody set up one-time codes anew').action(
    async (email: string, { json }: { json: boolean }) => change(email, { kind: 'reset-totp' }, json),
  );
  addUserCommand(user, 'reset-password ada@example.com --generate', 'set a new password, typed or piped in')
    .option('--generate', 'make one, and print it this once', false)
    .action(async (email: string, { generate, json }: { generate: boolean; json: boolean }) =>
      change(email, { kind: 'reset-password', generate }, json),
    );
}

/** A command of `user` with the address of whom it changes; its name is the first word of its example. */
function addUserCommand(user: Command, example: string, about: string): Command {
  return user
    .command(example.split(' ', 1)[0] ?? '')
    .description(about)
    .argument('<email>', 'the address with which they sign in')
    .addOption(jsonOption())
    .addHelpText('after', `\nExample:\n  headgate user ${example}`);
}

async function change(email: string, action: UserAction, json: boolean): Promise<void> {
  const { changeUser } = await import('../user.ts');
  process.exitCode = await changeUser(email, action, { json });
}
