import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { CodeText } from '../../../frame/records/code-text.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { formatValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import { findFirstError } from './find-first-error.ts';
import { foundLinesMax } from './found-lines.ts';
import type { LogLine, LogPlace } from './log-line.ts';
import { LogList } from './log-list.tsx';
import { LogTools } from './log-tools.tsx';
import { isFilteredLog, type Log, type LogFilters, useLog } from './use-log.ts';

interface LogSectionProps {
  readonly runId: number;
  readonly active: boolean;
  readonly filters: LogFilters;
  /** Steps to choose from. */
  readonly steps: readonly string[];
  onFilter(filters: LogFilters): void;
}

/** The log of a run while it is written, and afterwards. */
export function LogSection({ runId, active, filters, steps, onFilter }: LogSectionProps): ReactNode {
  const api = useApi();
  const { texts } = useCatalogue();
  const log = useLog(runId, filters);
  const [follow, setFollow] = useState(active);
  const [chosen, setChosen] = useState<number | null>(null);
  const [wanted, setWanted] = useState<LogPlace | null>(null);
  const search = useMutation({
    mutationFn: () => findFirstError(api, runId),
    onSuccess(place) {
      if (place === null) return;
      // Where it stands in the whole log says more than where it stands among what was found.
      if (isFilteredLog(filters)) onFilter({});
      setFollow(false);
      setWanted(place);
    },
  });
  const filter = (next: LogFilters) => {
    setChosen(null);
    onFilter(next);
  };
  const { whole, rows } = log;
  const known = whole !== null && whole.count > 0;
  useEffect(() => {
    if (wanted === null || !known || whole === null) return;
    setChosen(whole.indexOf(wanted));
    setWanted(null);
  }, [wanted, known, whole]);
  const line = chosen === null ? undefined : rows.at(chosen);
  return (
    <section className="panel log" aria-labelledby="log">
      <div className="panel-head">
        <h2 id="log">{texts.log.title}</h2>
        <LogState log={log} filtered={isFilteredLog(filters)} />
      </div>
      <LogTools
        runId={runId}
        filters={filters}
        steps={steps}
        follow={follow}
        busy={search.isPending}
        onFilter={filter}
        onFollow={setFollow}
        onFirstError={() => search.mutate()}
      />
      <p role="status" className="field-hint log-note">
        {search.data === null && texts.log.noErrors}
        {search.error?.message}
      </p>
      {rows.count === 0 && log.state !== 'connecting' ? (
        <EmptyState>{isFilteredLog(filters) ? texts.log.noMatches : texts.log.empty}</EmptyState>
      ) : (
        <LogList log={log} follow={follow} chosen={chosen} onFollow={setFollow} onChoose={setChosen} />
      )}
      {line && <LineDetail line={line} />}
    </section>
  );
}

/** How many lines there are, and whether more will come. */
function LogState({ log, filtered }: { readonly log: Log; readonly filtered: boolean }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { lines, matches, capped, states } = texts.log;
  const number = (count: number) => formatValue(count, 'integer', { locale });
  if (log.found?.isFull) return <p className="log-state">{capped(number(foundLinesMax))}</p>;
  const isLive = log.state === 'live';
  const state = log.end ?? (isLive ? 'live' : log.state === 'connecting' ? 'connecting' : 'lost');
  return (
    <p className="log-state" role="status" data-state={state}>
      <span>{states[state]}</span>
      <span aria-live="off">{(filtered ? matches : lines)(number(log.rows.count))}</span>
    </p>
  );
}

/** The whole of a line whose row had no room for it. */
function LineDetail({ line }: { readonly line: LogLine }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { fields } = line;
  return (
    <div className="log-detail">
      <p className="record-facts">
        {formatValue(line.at, 'datetime', { locale })} · {line.level}
        {line.step_id !== null && ` · ${line.step_id}`} · {texts.log.attempt(line.attempt)} · {line.seq}
      </p>
      <CodeText label={texts.log.detail}>
        {line.message}
        {fields !== null && Object.keys(fields).length > 0 && `\n${JSON.stringify(fields, null, 2)}`}
      </CodeText>
    </div>
  );
}
