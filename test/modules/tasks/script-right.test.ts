import t, { type Test } from 'tap';
import { ofFullList } from '../../support/fault-list.ts';
import { startFullApp } from '../../support/full-app.ts';
import { createPerson } from '../../support/people.ts';
import type { Visitor } from '../../support/visitor.ts';

const plain = (words: string) => `version: 1
name: scripted
connectors: { source: { type: dummy } }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - { id: say, kind: log, message: ${words} }
`;
const SCRIPT = `version: 1
name: scripted
connectors: { source: { type: dummy } }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - { id: change, kind: script, input: read, code: "export default (item) => ({ twice: item.id * 2 })" }
`;

interface Preview {
  readonly failure: { readonly code: string } | null;
  readonly steps: readonly { readonly step_id: string; readonly rows: readonly object[] }[];
}

/** The server with a connector of three rows, and somebody of each role. */
async function scene(t: Test, scripts?: string) {
  const full = await startFullApp(t, 'sqlite', scripts === undefined ? {} : { SVC_SCRIPTS: scripts });
  const { visitor: root } = await full.superadmin();
  const config = { generate: { count: 3, columns: ['id'] } };
  const { body } = await root.post<{ id: number }>('/api/connectors', {
    name: 'three',
    type: 'dummy',
    config,
  });
  const tries = async (visitor: Visitor) => {
    const input = { yaml_content: SCRIPT, connectors: { source: body.id } };
    return (await visitor.post<Preview>('/api/tasks/preview', input)).body;
  };
  return { full, root, tries, editor: (await createPerson(full, root, 'editor')).visitor };
}

async function refusesPackages(t: Test, editor: Visitor, admin: Visitor): Promise<void> {
  const lock = (visitor: Visitor, yaml_content: string) => visitor.post('/api/tasks/lock', { yaml_content });
  t.match(await lock(editor, SCRIPT), { status: 403, body: { message: /SVC_SCRIPTS/ } });
  t.strictSame((await lock(admin, SCRIPT)).body, { yaml_content: SCRIPT, steps: 0 });
  const needing = (keys: string) => SCRIPT.replace('kind: script,', `kind: script, ${keys},`);
  const told = async (keys: string, message: RegExp) =>
    t.match(await lock(admin, needing(keys)), { status: 422, body: { error: 'UNPROCESSABLE', message } });
  await told('language: python, dependencies: [iniconfig]', /set SVC_SCRIPT_UV/);
  await told('packages: geo', /SVC_SCRIPT_PACKAGES has no folder for the packages "geo"/);
  t.match(await lock(admin, 'a: [1'), { status: 422, body: { message: /not YAML/ } });
  for (const dependency of [
    '"-r /etc/passwd"',
    '"a @ file:///x"',
    '"a>=1 --index-url http://h"',
    '"a>=1\\n-e ."',
  ])
    t.match(
      await admin.post('/api/tasks', {
        yaml_content: needing(`language: python, dependencies: [${dependency}]`),
      }),
      {
        status: 400,
        body: { message: /is not an index package/ },
      },
    );
}

t.test('only an admin saves and tries scripts, unless the server says otherwise', async (t) => {
  const { full, root, editor, tries } = await scene(t);
  const { visitor: admin, program } = await createPerson(full, root, 'admin');

  t.test('packages of scripts are pinned for those who may save them, and name no other index', (t) =>
    refusesPackages(t, editor, admin),
  );

  const refused = {
    status: 403,
    body: { error: 'FORBIDDEN', message: /script steps.* admin .*SVC_SCRIPTS/ },
  };
  t.match(await editor.post('/api/tasks', { yaml_content: SCRIPT }), refused);
  t.match((await root.get<{ result: object[] }>('/api/tasks')).body.result, [], 'nothing was saved');
  const made = await editor.post<{ id: number }>('/api/tasks', { yaml_content: plain('one') });
  const path = `/api/tasks/${made.body.id}`;
  t.match(await editor.put(path, { yaml_content: SCRIPT }), refused);
  t.match(await admin.put(path, { yaml_content: SCRIPT }), { status: 200, body: { version: 2 } });
  t.match(
    await editor.put(path, { yaml_content: SCRIPT }),
    { status: 200, body: { version: 2 } },
    'unchanged',
  );
  t.match(await editor.put(path, { yaml_content: plain('two') }), { status: 200, body: { version: 3 } });
  t.match(await editor.post(`${path}/versions/2/restore`), refused);
  t.match(await program.post(`${path}/versions/2/restore`), { status: 200, body: { version: 4 } });
  t.match(await tries(editor), { failure: { code: 'SCRIPT_REFUSED' } });
  t.match(await tries(admin), {
    failure: null,
    steps: [{}, { step_id: 'change', rows: [{ twice: 2 }, { twice: 4 }, { twice: 6 }] }],
  });
});

t.test('editors may where SVC_SCRIPTS=editor', ofFullList, async (t) => {
  const open = await scene(t, 'editor');
  t.match(await open.editor.post('/api/tasks', { yaml_content: SCRIPT }), { status: 201 });
  t.match(await open.tries(open.editor), { failure: null });
});

t.test('nobody may where SVC_SCRIPTS=off', async (t) => {
  const off = await scene(t, 'off');
  t.match(await off.root.post('/api/tasks', { yaml_content: SCRIPT }), {
    status: 403,
    body: { message: /SVC_SCRIPTS=off/ },
  });
  t.match(await off.tries(off.root), { failure: { code: 'SCRIPT_REFUSED' } });
});
