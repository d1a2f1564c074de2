import fc from 'fast-check';
import t from 'tap';
import { editDraft, isOutdated, rebaseDraft, versionToSend } from '../../../src/ui/inputs/editor/draft.ts';

const same = (one: string, other: string) => one === other;
const saved = { value: 'old', version: 3 };

t.test('a draft begins with the first change and ends when it says what is saved', async (t) => {
  const typed = editDraft(null, saved, 'new', same);
  t.same(typed, { value: 'new', base: 'old', version: 3 });
  t.equal(editDraft(typed, saved, 'old', same), null);
  t.equal(editDraft(null, saved, 'old', same), null);
});

t.test('another saved value outdates a draft, another version alone does not', async (t) => {
  const typed = { value: 'new', base: 'old', version: 3 };
  t.notOk(isOutdated(typed, saved, same));
  t.notOk(isOutdated(typed, { value: 'old', version: 9 }, same));
  t.equal(versionToSend(typed, { value: 'old', version: 9 }, same), 9);
  t.ok(isOutdated(typed, { value: 'theirs', version: 4 }, same));
  t.equal(versionToSend(typed, { value: 'theirs', version: 4 }, same), 3, 'so that the server refuses it');
  t.notOk(isOutdated(null, { value: 'theirs', version: 4 }, same));
  const further = editDraft(typed, { value: 'theirs', version: 4 }, 'newer', same);
  t.same(further, { value: 'newer', base: 'old', version: 3 }, 'nor does typing on hide it');
});

t.test('a draft that is kept over another value is none where both say the same', async (t) => {
  const typed = { value: 'new', base: 'old', version: 3 };
  t.same(rebaseDraft(typed, { value: 'theirs', version: 4 }, same), {
    value: 'new',
    base: 'theirs',
    version: 4,
  });
  t.equal(rebaseDraft(typed, { value: 'new', version: 4 }, same), null);
});

t.test(
  'no order of edits and refreshes loses the last text or sends it over a value nobody saw',
  async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('edit' as const), text: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ kind: fc.constant('refresh' as const), text: fc.constantFrom('a', 'b', 'c') }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let now = { value: 'a', version: 1 };
        let draft: ReturnType<typeof editDraft<string>> = null;
        let shown = 'a';
        const versions = new Map([[1, 'a']]);
        for (const { kind, text } of steps) {
          if (kind === 'edit') {
            draft = editDraft(draft, now, text, same);
            shown = text;
          } else {
            now = { value: text, version: now.version + 1 };
            versions.set(now.version, text);
            if (draft === null) shown = text;
          }
          if ((draft?.value ?? now.value) !== shown) return false;
          if (draft !== null && versions.get(versionToSend(draft, now, same)) !== draft.base) return false;
        }
        return true;
      }),
    );
  },
);
