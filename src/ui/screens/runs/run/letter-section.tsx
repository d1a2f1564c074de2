import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { cellText, positionOf } from '../../../frame/records/letter-text.ts';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { isActiveRun } from '../../../kit/run-status.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';

export type DeadLetter = components['schemas']['DeadLetter'];

const lettersPerPage = 20;

type RunDetail = components['schemas']['RunDetail'];

/** The rows that the run could not process, with what was wrong and where they came from. */
export function LetterSection({ run: record }: { readonly run: RunDetail }): ReactNode {
  const api = useApi();
  const { run } = useTexts();
  const { id } = record;
  const active = isActiveRun(record);
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
      {stopsAtFirst(record) && <FirstRowHint run={record} />}
      <Pages query={query} empty={stopsAtFirst(record) ? run.noneSetAside : run.noLetters}>
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

/** Whether a row ended the run, and no bound did that says how many may fail. */
function stopsAtFirst({ status, reason, error }: RunDetail): boolean {
  return status === 'error' && reason === 'item_errors' && error?.code !== 'TOO_MANY_ITEM_ERRORS';
}

/** How rows that fail are set aside, while the others are loaded. */
function FirstRowHint({ run: { error, task_id } }: { readonly run: RunDetail }): ReactNode {
  const { run } = useTexts();
  return (
    <p>
      {run.stopsAtFirst(error?.step ?? null)} <code>{'on_error: { action: dead_letter }'}</code>
      {task_id !== null && (
        <>
          {' '}
          <Link to="/tasks/$id" params={{ id: String(task_id) }} search={{ view: 'edit' }}>
            {run.editTask}
          </Link>
        </>
      )}
    </p>
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
