import fc from 'fast-check';
import t from 'tap';
import { formatPath } from '../../../src/language/yaml/yaml-path.ts';
import { placeProblems, readPath, withoutPlace } from '../../../src/ui/inputs/editor/problem-path.ts';

t.test('every path that the server writes is read back', async (t) => {
  t.same(readPath('mapping[2].target_field'), ['mapping', 2, 'target_field']);
  t.same(readPath('form["odd.key[1]"]'), ['form', 'odd.key[1]']);
  t.same(readPath(''), []);
  const step = fc.oneof(fc.nat(), fc.string({ minLength: 1 }), fc.stringMatching(/^[\w$-]+$/));
  fc.assert(
    fc.property(fc.array(step), (path) => {
      t.same(readPath(formatPath(path)), path);
    }),
  );
});

t.test('problems are sorted by place, and leave it when it is changed', async (t) => {
  const problems = [
    { path: 'form.a', message: 'one' },
    { path: 'form', message: 'whole' },
    { path: 'form.a', message: 'two' },
  ];
  const placed = placeProblems(problems, (path) => (path[1] === undefined ? null : String(path[1])));
  t.same(
    [...placed],
    [
      ['a', ['one', 'two']],
      ['', ['whole']],
    ],
  );
  t.same([...withoutPlace(placed, 'a')], [['', ['whole']]]);
  t.equal(withoutPlace(placed, 'b'), placed);
});
