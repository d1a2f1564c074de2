import { type ReactNode, useId } from 'react';
import { SearchField } from '../../../frame/records/search-field.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { LogFilters } from './use-log.ts';
import { logQuery } from './use-log.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;

interface LogToolsProps {
  readonly runId: number;
  readonly filters: LogFilters;
  readonly steps: readonly string[];
  readonly follow: boolean;
  readonly busy: boolean;
  onFilter(filters: LogFilters): void;
  onFollow(follow: boolean): void;
  onFirstError(): void;
}

/** What is shown of the log, and where. */
export function LogTools(props: LogToolsProps): ReactNode {
  const { runId, filters, steps, follow, busy, onFilter, onFollow, onFirstError } = props;
  const { log } = useTexts();
  const id = useId();
  const known = filters.step === undefined || steps.includes(filters.step) ? steps : [...steps, filters.step];
  return (
    <div className="log-tools">
      <SearchField label={log.search} value={filters.q ?? ''} onChange={(q) => onFilter({ ...filters, q })} />
      <label htmlFor={`${id}-level`} className="visually-hidden">
        {log.level}
      </label>
      <select
        id={`${id}-level`}
        className="field-box"
        value={filters.level ?? 'debug'}
        onChange={({ target }) => onFilter({ ...filters, level: target.value as (typeof levels)[number] })}
      >
        {levels.map((level) => (
          <option key={level} value={level}>
            {log.levels[level]}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-step`} className="visually-hidden">
        {log.step}
      </label>
      <select
        id={`${id}-step`}
        className="field-box"
        value={filters.step ?? ''}
        onChange={({ target }) => onFilter({ ...filters, step: target.value })}
      >
        <option value="">{log.anyStep}</option>
        {known.map((step) => (
          <option key={step} value={step}>
            {step}
          </option>
        ))}
      </select>
      <label className="log-follow">
        <input type="checkbox" checked={follow} onChange={({ target }) => onFollow(target.checked)} />
        {log.follow}
      </label>
      <button type="button" className="text-button" disabled={busy} onClick={onFirstError}>
        {log.firstError}
      </button>
      <a className="text-button" href={downloadUrl(runId, filters)} download>
        <Icon name="download" />
        {log.download}
      </a>
    </div>
  );
}

function downloadUrl(runId: number, filters: LogFilters): string {
  return `/api/runs/${runId}/logs/download?${new URLSearchParams(logQuery(filters) as Record<string, string>)}`;
}
