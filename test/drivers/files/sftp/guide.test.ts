import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { codeBlocks } from '../../../docs/markdown-files.ts';
import { createKeeper, runYaml } from '../../../engine/support/task-run.ts';
import { startSftpServer, withoutSftp } from '../../../support/sftp-server.ts';

const blocks = codeBlocks('docs/connectors/sftp.md');
const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';
const placeOf = (path: string) => path.replace(/^sftp:\/\/[^/]+\//, '');

t.test(
  'the example of the guide reads new files of one folder into a file of another',
  { skip: withoutSftp() },
  async (t) => {
    const server = await startSftpServer(t);
    const { inbox, reports } = parse(textOf('yaml connectors'));
    mkdirSync(join(server.folder, placeOf(inbox.config.path), '2026/01'), { recursive: true });
    mkdirSync(join(server.folder, placeOf(reports.config.path)));
    inbox.config = server.config(placeOf(inbox.config.path));
    reports.config = server.config(placeOf(reports.config.path));
    writeFileSync(join(server.folder, 'outgoing/orders/2026/01/a.csv'), 'id,total\n1,2.50\n');
    const connectors = { inbox, reports };
    const run = { folder: t.testdir({}), yaml: textOf('yaml task'), connectors, keeper: createKeeper() };
    t.match(await runYaml(run), { status: 'success', rows_in: 1 });
    const written = readFileSync(join(server.folder, 'incoming/new-orders.ndjson'), 'utf8');
    t.match(JSON.parse(written), { id: 1, total: 2.5, file: '2026/01/a.csv', changed_at: /^20/ });
    t.match(await runYaml(run), { status: 'success', rows_in: 0 }, 'nothing is new');
    t.strictSame(readdirSync(join(server.folder, 'incoming')), ['new-orders.ndjson']);
  },
);
