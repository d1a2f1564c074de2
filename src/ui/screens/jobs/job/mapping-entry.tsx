import { type FormEvent, type ReactNode, useId } from 'react';
import { isRow, type Row } from '../../../frame/records/row.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { OptionsCombobox } from '../../../kit/combobox/options-combobox.tsx';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type EntryProps, SaveButton, useEntryEditor } from './save-entry.tsx';

const rowsMax = 1_000;
const sides = ['source', 'target'] as const;
type Side = (typeof sides)[number];

/** A row as it is typed. The id is local to the page. */
interface TypedRow extends Readonly<Record<Side, string>> {
  readonly id: number;
  readonly transform: string;
}

/** Which field becomes which, with an expression where the mapping allows one. */
export function MappingEntry(props: EntryProps): ReactNode {
  const { name, entry, config } = props;
  const { jobs } = useTexts();
  const saved = readRows(config.values[name]);
  const editor = useEntryEditor(props, saved, rowsToSend);
  const { value: rows, edit: setRows } = editor;
  const sent = rowsToSend(rows);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    editor.save();
  };
  const edit = (id: number, change: Partial<TypedRow>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
  return (
    <form className="stack" onSubmit={submit}>
      {rows.length === 0 && <EmptyState>{jobs.mapping.none}</EmptyState>}
      <ol className="mapping-rows">
        {rows.map((row, at) => (
          <li key={row.id}>
            {sides.map((side) => (
              <SideField
                key={side}
                {...props}
                side={side}
                label={jobs.mapping.sides[side](at + 1)}
                value={row[side]}
                rows={sent}
                onChange={(value) => edit(row.id, { [side]: value })}
              />
            ))}
            {entry['allow_transform'] === true && (
              <LabelledText
                label={jobs.mapping.transform(at + 1)}
                isCode
                value={row.transform}
                onChange={(transform) => edit(row.id, { transform })}
              />
            )}
            <button
              type="button"
              className="icon-button"
              aria-label={jobs.mapping.remove(at + 1)}
              title={jobs.mapping.remove(at + 1)}
              onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
            >
              <Icon name="trash" size={15} />
            </button>
          </li>
        ))}
      </ol>
      <p>
        <button
          type="button"
          className="text-button"
          disabled={rows.length >= rowsMax}
          onClick={() => setRows([...rows, newRow(rows)])}
        >
          <Icon name="plus" size={14} /> {jobs.mapping.add}
        </button>
      </p>
      <SaveButton
        editor={editor}
        isChanged={JSON.stringify(sent) !== JSON.stringify(rowsToSend(saved))}
        mine={sent}
        theirs={config.values[name]}
      />
    </form>
  );
}

interface SideFieldProps extends EntryProps {
  readonly side: Side;
  readonly label: string;
  readonly value: string;
  /** All of them: options may depend on them. */
  readonly rows: readonly Row[];
  onChange(value: string): void;
}

/** Chosen from what the connector offers, where the template says how; else typed. */
function SideField({
  id: jobId,
  name,
  entry,
  side,
  label,
  value,
  rows,
  onChange,
}: SideFieldProps): ReactNode {
  const api = useApi();
  const id = useId();
  const declared = entry[side];
  if (!isRow(declared) || !isRow(declared['options_source']))
    return <LabelledText label={label} value={value} onChange={onChange} />;
  return (
    <div className="field">
      <label htmlFor={id} className="field-hint">
        {label}
      </label>
      <OptionsCombobox
        id={id}
        label={label}
        source={{
          kind: 'server',
          key: '',
          searchInPage: declared['options_source']['search'] === 'page',
          load: (request, signal) =>
            api.POST('/api/jobs/{id}/config/{key}/options', {
              params: { path: { id: jobId, key: name } },
              body: { side, value: rows, ...request },
              signal,
            }),
        }}
        multiple={false}
        required
        value={value === '' ? [] : [value]}
        onChange={(next) => onChange(next[0] ?? '')}
      />
    </div>
  );
}

interface LabelledTextProps {
  readonly label: string;
  readonly value: string;
  readonly isCode?: boolean;
  onChange(value: string): void;
}

function LabelledText({ label, value, isCode = false, onChange }: LabelledTextProps): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className="field-hint">
        {label}
      </label>
      <input
        id={id}
        type="text"
        className={isCode ? 'field-box code-field' : 'field-box'}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

function readRows(value: unknown): readonly TypedRow[] {
  const text = (one: unknown) => (typeof one === 'string' ? one : '');
  return (Array.isArray(value) ? value : []).filter(isRow).map((row, id) => ({
    id,
    source: text(row['source_field']),
    target: text(row['target_field']),
    transform: text(row['transform']),
  }));
}

function rowsToSend(rows: readonly TypedRow[]): Row[] {
  return rows.map(({ source, target, transform }) => ({
    source_field: source,
    target_field: target,
    transform: transform.trim() === '' ? null : transform,
  }));
}

function newRow(rows: readonly TypedRow[]): TypedRow {
  return { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, source: '', target: '', transform: '' };
}
