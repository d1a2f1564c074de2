import { quoteText } from '../duckdb/identifier.ts';
import type { CsvOptions } from './csv-table.ts';

/** How the engine of `query` reads files, as the configuration of the connector says; types are those that it finds. */
export function csvSource(options: CsvOptions): (list: string) => string {
  const { delimiter, header, encoding, nullValues, ragged, decimal } = options;
  const settings = [
    `header = ${header}`,
    `nullstr = [${[...nullValues].map(quoteText).join(', ')}]`,
    `null_padding = ${ragged === 'pad'}`,
    'union_by_name = true',
    ...(delimiter === null ? [] : [`delim = ${quoteText(delimiter)}`]),
    ...(decimal === null ? [] : [`decimal_separator = ${quoteText(decimal)}`]),
    ...(encoding === 'latin1' ? ["encoding = 'latin-1'"] : []),
  ];
  return (list) => `read_csv(${list}, ${settings.join(', ')})`;
}
