import { join } from 'node:path';
import t from 'tap';
import { requireUsableFiles } from '../../src/app/usable-files.ts';
import { readTlsFile } from '../../src/base/files/tls-file.ts';
import { loadConfig } from '../../src/config.ts';

function usable(env: Readonly<Record<string, string>>): void {
  const loaded = loadConfig({ SVC_CONFIG_FILE: '/dev/null', ...env });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  requireUsableFiles(loaded.config);
}

t.test('what the settings name and a server cannot use is refused at its start', async (t) => {
  const folder = t.testdir({ file: '', data: {} });
  const [file, data, absent] = ['file', 'data', 'absent'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const refused = (env: Record<string, string>, message: string) =>
    t.throws(() => usable(env), { code: 'NOT_READY', message }, message);
  refused(
    { SVC_FILE_ROOTS: `${data},${absent}` },
    `SVC_FILE_ROOTS: the folder "${absent}" cannot be used: it does not exist`,
  );
  refused({ SVC_FILE_ROOTS: file }, `SVC_FILE_ROOTS: the folder "${file}" cannot be used: it is no folder`);
  refused({ SVC_METRICS_PATH: data }, `SVC_METRICS_PATH "${data}" cannot be written: it is no file`);
  refused(
    { SVC_METRICS_PATH: join(file, 'm.db') },
    `SVC_METRICS_PATH "${join(file, 'm.db')}" cannot be written: "${file}" is no folder`,
  );
  usable({ SVC_FILE_ROOTS: data, SVC_METRICS_PATH: join(absent, 'new', 'metrics.db') });
  usable({ SVC_FILE_ROOTS: data, SVC_METRICS_PATH: file });
  usable({ SVC_STATE_URL: 'postgres://127.0.0.1/x', SVC_METRICS_PATH: data });
});

t.test('a TLS file that cannot be read, or holds no PEM, is named with its setting', async (t) => {
  const folder = t.testdir({ file: 'no PEM', data: {}, 'cert.pem': '-----BEGIN CERTIFICATE-----' });
  const refused = (name: string, why: string) =>
    t.throws(() => readTlsFile(join(folder, name), '--ca'), {
      message: `--ca "${join(folder, name)}" ${why}`,
    });
  refused('absent', 'cannot be read: it does not exist');
  refused('data', 'cannot be read: it is a folder');
  refused('file', 'is no PEM file: it has no "-----BEGIN" line');
  t.match(readTlsFile(join(folder, 'cert.pem'), '--ca'), /BEGIN/);
});
