import t from 'tap';
import {
  placeOfEntry,
  placeOfInput,
  placesOfEntry,
} from '../../../../src/modules/jobs/options/option-place.ts';

const source = { connector: 'crm', method: 'list', value_expr: 'id', depends_on: ['country', 'elsewhere'] };
const FORM = {
  type: 'form',
  fields: [
    { key: 'country', type: 'select', options: [{ label: 'Germany', value: 'de' }] },
    { key: 'city', type: 'select', depends_on: ['country'], options_source: source },
    { key: 'note', type: 'text' },
  ],
};

t.test('the places of a form are its selects', (t) => {
  t.match(placeOfEntry('who', FORM, 'country'), {
    entryKey: 'who',
    side: 'country',
    inline: [{ label: 'Germany', value: 'de' }],
    source: null,
    needs: [],
  });
  t.match(placeOfEntry('who', FORM, 'city'), { inline: null, source, needs: ['country'] });
  t.same(
    placesOfEntry('who', FORM).map(({ side }) => side),
    ['country', 'city'],
  );
  t.end();
});

t.test('the places of a mapping are the sides that have a source', (t) => {
  const mapping = {
    type: 'field_mapping',
    source: { options_source: source, label_expr: 'name' },
    target: {},
  };
  t.match(placeOfEntry('map', mapping, 'source'), { source, labelExpr: 'name', valueExpr: null, needs: [] });
  t.throws(() => placeOfEntry('map', mapping, 'target'), {
    message: /under the side "target": give one of "source"/,
  });
  t.end();
});

t.test('a side that is not there is refused with those that are', (t) => {
  t.throws(() => placeOfEntry('who', FORM, undefined), {
    code: 'VALIDATION_ERROR',
    message: '"side" is required: give one of "country", "city"',
  });
  for (const side of ['note', 'nothing', '__proto__', ''])
    t.throws(() => placeOfEntry('who', FORM, side), {
      code: 'VALIDATION_ERROR',
      details: [
        {
          path: 'side',
          message: `"who" has no options under the side "${side}": give one of "country", "city"`,
        },
      ],
    });
  t.throws(() => placeOfInput(undefined, 'country'), { message: /nothing to choose from/ });
  t.match(placeOfInput(FORM.fields, 'city'), { entryKey: '', needs: ['country'] });
  t.end();
});
