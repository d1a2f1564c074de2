import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { JsonView } from '../../../frame/records/json-view.tsx';
import { isRow } from '../../../frame/records/row.ts';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { FieldInput } from '../../../inputs/field/field-input.tsx';
import {
  type FormValues,
  fillValues,
  isSameForm,
  readFields,
  valuesToSend,
} from '../../../inputs/field/form-schema.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { ConfigHistory } from './config-history.tsx';
import { MappingEntry } from './mapping-entry.tsx';
import { type EntryProps, SaveButton, useEntryEditor } from './save-entry.tsx';

/** The configuration of a job: a form for each entry, and how it came to be. */
export function ConfigSection({ id }: { readonly id: number }): ReactNode {
  const api = useApi();
  const { jobs } = useTexts();
  const may = useMay('operator');
  const query = useQuery({
    queryKey: ['job', id, 'config'],
    queryFn: ({ signal }) => api.GET('/api/jobs/{id}/config', { params: { path: { id } }, signal }),
  });
  return (
    <Loaded query={query}>
      {(config) => {
        const entries = Object.entries(config.schema);
        return (
          <>
            {entries.length === 0 && (
              <section className="panel" aria-label={jobs.views.config}>
                <EmptyState>{jobs.noConfig}</EmptyState>
              </section>
            )}
            {entries.map(([key, entry]) => (
              <Entry
                key={key}
                id={id}
                name={key}
                entry={isRow(entry) ? entry : {}}
                config={config}
                may={may}
              />
            ))}
            <ConfigHistory id={id} config={config} />
          </>
        );
      }}
    </Loaded>
  );
}

function Entry(props: EntryProps): ReactNode {
  const { name, entry, config, may } = props;
  const id = useId();
  const title = typeof entry['title'] === 'string' ? entry['title'] : name;
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {typeof entry['description'] === 'string' && <p className="field-hint">{entry['description']}</p>}
      {!may && <JsonView title={name} value={config.values[name]} />}
      {may && entry['type'] === 'form' && <FormEntry {...props} />}
      {may && entry['type'] === 'field_mapping' && <MappingEntry {...props} />}
    </section>
  );
}

function FormEntry(props: EntryProps): ReactNode {
  const { id, name, entry, config } = props;
  const api = useApi();
  const formId = useId();
  const fields = readFields(entry['fields']);
  const stored = config.values[name];
  const saved = fillValues(fields, isRow(stored) ? stored : {});
  const editor = useEntryEditor<FormValues>(props, saved, (typed) => valuesToSend(fields, typed));
  const { value: values } = editor;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    editor.save();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="config-fields">
        {fields
          .filter(({ hidden }) => !hidden)
          .map((field) => (
            <FieldInput
              key={field.key}
              field={field}
              fields={fields}
              values={values}
              problems={problemsOf(editor.error, name, field.key)}
              changed={!isSameForm([field], saved, values)}
              controlId={`${formId}-${field.key}`}
              loadOptions={async (request, signal) => {
                const params = { path: { id, key: name } };
                const page = await api.POST('/api/jobs/{id}/config/{key}/options', {
                  params,
                  body: { ...request },
                  signal,
                });
                return page;
              }}
              onChange={(value) => editor.edit({ ...values, [field.key]: value })}
            />
          ))}
      </div>
      <SaveButton
        editor={editor}
        isChanged={!isSameForm(fields, saved, values)}
        mine={valuesToSend(fields, values)}
        theirs={stored}
      />
    </form>
  );
}

function problemsOf(error: Error | null, entry: string, field: string): readonly string[] {
  if (!(error instanceof ApiError)) return [];
  const places = [field, `value.${field}`, `${entry}.${field}`, `config.${entry}.${field}`];
  return error.details.filter(({ path }) => places.includes(path)).map(({ message }) => message);
}
