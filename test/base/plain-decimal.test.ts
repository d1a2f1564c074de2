import t from 'tap';
import { plainDecimal } from '../../src/base/text/plain-decimal.ts';

t.test('decimals are written in digits alone', async (t) => {
  const cases = {
    '1e-10': '0.0000000001',
    '-1E-10': '-0.0000000001',
    '1.5E+3': '1500',
    '1.2345e2': '123.45',
    '12.5e-1': '1.25',
    '12.5e-2': '0.125',
    '0E-3': '0.000',
    '0.001e2': '0.1',
    '1e21': '1000000000000000000000',
    '12.50': '12.50',
    NaN: 'NaN',
    Infinity: 'Infinity',
  };
  for (const [text, plain] of Object.entries(cases)) t.equal(plainDecimal(text), plain, text);
});
