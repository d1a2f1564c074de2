import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { codeBlocks } from '../../../docs/markdown-files.ts';
import { createKeeper, runYaml } from '../../../engine/support/task-run.ts';
import { findProgram } from '../../../support/find-program.ts';

const program = findProgram(process.env['TARGET_JSONL_PATH'], ['target-jsonl']);
const skip = program === null && 'needs target-jsonl at TARGET_JSONL_PATH';
const plugin = { name: 'target-jsonl', command: [program ?? ''], folder: null, memoryMb: 1_024 };

function example(folder: string) {
  const blocks = codeBlocks('docs/connectors/singer.md');
  const [, connectors = ''] = blocks.filter(({ info }) => info === 'yaml connectors').map(({ text }) => text);
  const [, yaml = ''] = blocks.filter(({ info }) => info === 'yaml task').map(({ text }) => text);
  const { files, lake } = parse(connectors);
  t.match(lake.config, { plugin: 'target-jsonl', config: { destination_path: String } });
  lake.config.config.destination_path = join(folder, 'out');
  return { folder, yaml, connectors: { files, lake }, keeper: createKeeper(), plugins: [plugin] };
}

t.test('the example of the guide writes rows through a target of the ecosystem', { skip }, async (t) => {
  const folder = t.testdir({ 'people.csv': 'id,name\n1,Ada\n2,"Grüße, ""Bob"""\n' });
  t.match(await runYaml(example(folder)), { status: 'success', rows_out: 2 });
  const [name = ''] = readdirSync(join(folder, 'out'));
  const lines = readFileSync(join(folder, 'out', name), 'utf8')
    .trim()
    .split('\n');
  t.strictSame(
    lines.map((line) => JSON.parse(line)),
    [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Grüße, "Bob"' },
    ],
  );
});

t.test('a target that fails is the failure of the load, and no row counts', { skip }, async (t) => {
  const folder = t.testdir({ 'people.csv': 'id,name\n1,Ada\n', out: 'a file where the folder should be' });
  const outcome = await runYaml(example(folder));
  t.match(outcome, {
    status: 'error',
    rows_out: 0,
    failure: { message: /"target-jsonl" ended with exit code 1: FileExistsError/ },
  });
});
