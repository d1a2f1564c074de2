import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { Pages, pages } from '../../../frame/records/pages.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { noValue } from '../../../kit/format-value.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

export type DeadLetter = components['schemas']['DeadLetter'];

const lettersPerPage = 20;

interface LetterSectionProps {
  readonly runId: number;
  readonly active: boolean;
}

/** The rows that the run could not process, with what was wrong and where they came from. */
export function LetterSection({ runId: id, active }: LetterSectionProps): ReactNode {
  const api = useApi();
  const { run } = useTexts();
  const query = useInfiniteQuery({
    ...pages,
    ...(!active && { refetchInterval: false as const }),
    queryKey: ['run', id, 'letters'],
    queryFn: ({ pageParam, signal }) =>
      api.GET('/api/runs/{id}/dead-letters', {
        params: {
          path: { id },
          query: { sort: 'id', limit: lettersPerPage, ...(pageParam !== undefined && { cursor: pageParam }) },
        },
        signal,
      }),
  });
  return (
    <section className="panel" aria-labelledby="letters">
      <h2 id="letters">{run.letters}</h2>
      <Pages query={query} empty={run.noLetters}>
        {(letters) => (
          <ul className="letters">
            {letters.map((letter) => (
              <Letter key={letter.id} letter={letter} />
            ))}
          </ul>
        )}
      </Pages>
    </section>
  );
}

function Letter({ letter }: { readonly letter: DeadLetter }): ReactNode {
  const { run } = useTexts();
  const position = usePosition(letter);
  return (
    <li>
      <p>
        <span className="status" data-tone={letter.status === 'open' ? 'danger' : 'neutral'}>
          {run.letterStates[letter.status]}
        </span>{' '}
        <strong>{letter.message}</strong>
      </p>
      <p className="record-facts">
        {letter.code} · {run.step}: {letter.step_id}
        {position !== null && ` · ${position}`}
        {letter.replay_run_id !== null && (
          <>
            {' · '}
            <Link to="/runs/$id" params={{ id: String(letter.replay_run_id) }}>
              {run.replayRun(letter.replay_run_id)}
            </Link>
          </>
        )}
      </p>
      <LetterValues letter={letter} />
    </li>
  );
}

/** File, line and the like, as far as they are known. */
function usePosition({ origin }: DeadLetter): string | null {
  const { run } = useTexts();
  if (origin === null) return null;
  const { file, line, record, ...rest } = origin;
  const known = [
    file !== undefined && String(file),
    line !== undefined && run.line(String(line)),
    record !== undefined && line === undefined && run.record(String(record)),
    ...Object.entries(rest).map(([name, value]) => `${name} ${text(value)}`),
  ];
  return known.filter((part) => typeof part === 'string').join(', ') || null;
}

/** The row's columns, the one that did not fit marked. */
function LetterValues({ letter: { item, column } }: { readonly letter: DeadLetter }): ReactNode {
  const { run } = useTexts();
  const isRow = typeof item === 'object' && item !== null && !Array.isArray(item);
  const entries = isRow ? Object.entries(item) : [[run.values, item] as const];
  return (
    <dl className="letter-values">
      {entries.map(([name, value]) => (
        <div key={name} data-wrong={name === column || undefined}>
          <dt>{name}</dt>
          <dd>{text(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function text(value: unknown): string {
  if (value === null || value === undefined) return noValue;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
