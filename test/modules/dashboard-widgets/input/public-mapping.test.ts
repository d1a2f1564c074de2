import t from 'tap';
import {
  hideTransforms,
  keepTransforms,
} from '../../../../src/modules/dashboard-widgets/input/widget-submit.ts';

const saved = [
  { source_field: 'a', target_field: 'b', transform: '$uppercase(value)' },
  { source_field: 'c', target_field: 'd', transform: null },
];

t.test('what a stranger sends keeps the expressions of the same pairs, and of no others', (t) => {
  const sent = [
    { source_field: 'a', target_field: 'b', transform: null, has_transform: true },
    { source_field: 'a', target_field: 'd' },
    { source_field: 'c', target_field: 'b' },
  ];
  t.same(keepTransforms(sent, saved, 'map'), [
    { source_field: 'a', target_field: 'b', transform: '$uppercase(value)' },
    { source_field: 'a', target_field: 'd', transform: null },
    { source_field: 'c', target_field: 'b', transform: null },
  ]);
  t.end();
});

t.test('an expression of their own is refused, even the saved one', (t) => {
  const own = [{ ...saved[1] }, { ...saved[0] }, { source_field: 'x', target_field: 'y', transform: '1' }];
  t.throws(() => keepTransforms(own, saved, 'map'), {
    code: 'VALIDATION_ERROR',
    details: [{ path: 'map[1].transform' }, { path: 'map[2].transform' }],
  });
  t.end();
});

t.test('what is no list of rows is left for the check to refuse', (t) => {
  for (const value of [null, 'text', 7, { a: 1 }]) t.same(keepTransforms(value, saved, 'map'), value);
  t.same(keepTransforms([1, null, 'x'], saved, 'map'), [1, null, 'x']);
  t.same(keepTransforms([{}], null, 'map'), [{ transform: null }]);
  t.end();
});

t.test('rows are shown without the text of an expression', (t) => {
  t.same(hideTransforms(saved), [
    { source_field: 'a', target_field: 'b', transform: null, has_transform: true },
    { source_field: 'c', target_field: 'd', transform: null },
  ]);
  t.equal(JSON.stringify(hideTransforms(saved)).includes('uppercase'), false);
  t.equal(hideTransforms('text'), 'text');
  t.end();
});
