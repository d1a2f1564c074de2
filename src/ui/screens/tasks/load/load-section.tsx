import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { TypedBeside } from '../../../frame/definitions/definition-editor.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { connectorTypesQuery } from '../../../frame/state/connector-types-query.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { loadLine, namesIn, withLoad } from './load-line.ts';

interface LoadSectionProps {
  readonly typed: TypedBeside;
  readonly declared: Readonly<Record<string, { readonly type: string }>>;
  /** Of the source, where they are known. */
  readonly columns: readonly string[];
}

const modes = ['merge', 'upsert', 'replace', 'append'] as const;
type Mode = (typeof modes)[number];

/** What the only load of a task does with the rows of its run before: chosen here, written into the text. */
export function LoadSection({ typed, declared, columns }: LoadSectionProps): ReactNode {
  const api = useApi();
  const { tasks } = useTexts();
  const types = useQuery(connectorTypesQuery(api));
  const line = loadLine(typed.text);
  const [lastKeys, setLastKeys] = useState(line?.keys ?? []);
  const mode = modes.find((one) => one === (line?.mode ?? 'append'));
  const target = types.data?.result.find(({ type }) => type === declared[line?.connector ?? '']?.type);
  // Other modes, such as a history, are written by those who know them.
  if (line === null || mode === undefined || target === undefined) return null;
  const { write } = target.capabilities;
  const offered = modes.filter(
    (one) => one === mode || (write.includes(one) && !(one === 'upsert' && write.includes('merge'))),
  );
  const takesKey = (one: Mode) => one === 'merge' || one === 'upsert';
  const choose = (next: Mode) => {
    const fallback = lastKeys.length > 0 ? lastKeys : columns.slice(0, 1);
    typed.replace(withLoad(typed.text, { mode: next, keys: takesKey(next) ? fallback : [] }));
  };
  return (
    <section className="stack" aria-labelledby="task-load">
      <h2 id="task-load">{tasks.load.title}</h2>
      <SelectField
        label={tasks.load.mode}
        hint={tasks.load.hints[mode]}
        options={offered.map((one) => [one, tasks.load.modes[one]] as const)}
        value={mode}
        onChange={choose}
      />
      {takesKey(mode) && (
        <KeyField
          key={line.keys.join()}
          keys={line.keys}
          columns={columns}
          onChange={(keys) => {
            setLastKeys(keys);
            typed.replace(withLoad(typed.text, { mode, keys }));
          }}
        />
      )}
    </section>
  );
}

function typedNames(keys: readonly string[]): string {
  return keys.map((name) => (name.includes(',') ? `"${name}"` : name)).join(', ');
}

interface KeyFieldProps {
  readonly keys: readonly string[];
  readonly columns: readonly string[];
  onChange(keys: readonly string[]): void;
}

/** Names of columns with commas between them; the text follows when they are left, not at each letter. */
function KeyField({ keys, columns, onChange }: KeyFieldProps): ReactNode {
  const { tasks } = useTexts();
  const [written, setWritten] = useState(typedNames(keys));
  return (
    <TextField
      label={tasks.load.key}
      hint={tasks.load.keyHint(columns)}
      value={written}
      onChange={setWritten}
      onBlur={() => {
        const next = namesIn(written);
        if (next.join() !== keys.join()) onChange(next);
      }}
    />
  );
}
