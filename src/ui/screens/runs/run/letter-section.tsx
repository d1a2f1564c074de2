import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { cellText, positionOf } from '../../../frame/records/letter-text.ts';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';

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
  const query = usePages(
    ['run', id, 'letters'],
    (page, signal) =>
      api.GET('/api/runs/{id}/dead-letters', {
        params: {
          path: { id },
          query: { sort: 'id', limit: lettersPerPage, ...page },
        },
        signal,
      }),
    { isLive: active },
  );
  const hasOpen = query.data?.pages.some(({ result }) => result.some(({ status }) => status === 'open'));
  return (
    <section className="panel" aria-labelledby="letters">
      <div className="panel-head">
        <h2 id="letters">{run.letters}</h2>
        {!active && hasOpen && (
          <Link to="/dead-letters" search={{ run: id }} className="button" data-style="secondary">
            {run.settle}
          </Link>
        )}
      </div>
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
  const position = positionOf(run, letter.origin);
  return (
    <li>
      <p>
        <span className="status" data-tone={letter.status === 'open' ? 'danger' : 'neutral'}>
          {wordOf(run.letterStates, letter.status)}
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
          <dd>{cellText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
