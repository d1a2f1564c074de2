import { loadConfig } from '../../../src/config.ts';
import { SERVER_SETTINGS } from '../../../src/modules/server/server-setting.ts';
import { SETTINGS } from '../../../src/settings.ts';
import { code, pageHead, sentence, table } from './markdown.ts';

const INTRO = `Settings of \`headgate serve\`; \`headgate executor\`, \`migrate\`, \`rotate-keys\` and \`user\` read them too. Environment variables override \`headgate.yaml\` in the working directory (or the file that \`SVC_CONFIG_FILE\` names), which overrides the defaults. All of them are checked at start: every problem is reported at once, and the exit code is 78. An unknown \`SVC_\` variable or key is a problem too.

In \`headgate.yaml\` the dots are levels: \`http.port\` is the key \`port\` of the map \`http\`. What to set in production is in [operations](../operations.md).`;

const SERVER_INTRO = `Superadmins change these while the servers run: \`GET\` and \`PUT /api/server/config\`. What the environment or \`headgate.yaml\` sets takes precedence, and is reported as locked.`;

export function settingsPage(): string {
  const rows = Object.entries(SETTINGS).map(([name, { path, help }]) => {
    const { words, fallback } = splitHelp(help);
    return [code(name), code(path.join('.')), sentence(words), fallback];
  });
  const stored = Object.entries(SERVER_SETTINGS).map(([key, { description, fallback }]) => [
    code(key),
    sentence(description),
    fallback === null ? '–' : code(fallback),
  ]);
  return [
    pageHead('Settings', INTRO),
    '\n## Environment and headgate.yaml\n',
    table(['variable', 'key', 'meaning', 'default'], rows),
    `\n## Settings changed at run time\n\n${SERVER_INTRO}\n`,
    table(['key', 'meaning', 'default'], stored),
  ].join('');
}

/** A help text ends with its default in brackets, where there is one. */
export function splitHelp(help: string): { readonly words: string; readonly fallback: string } {
  const [, words = help, fallback = ''] = /^(.*) \(([^()]+)\)$/s.exec(help) ?? [];
  if (fallback === '') return { words, fallback: '–' };
  return { words, fallback: /^[\w./:-]+$/.test(fallback) && fallback !== 'none' ? code(fallback) : fallback };
}

/** The default of a setting as the configuration has it, or undefined where it has none. */
export function configuredDefault(path: readonly string[]): unknown {
  const loaded = loadConfig({ SVC_CONFIG_FILE: '/dev/null' });
  if (!loaded.ok) throw new Error('The defaults are not a configuration');
  return path.reduce<unknown>(
    (value, key) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[key],
    loaded.config,
  );
}
