import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { ConfirmDialog } from '../records/confirm-dialog.tsx';
import type { Definition, DefinitionKind } from './definition-kind.ts';

export type Verb = 'archive' | 'activate' | 'remove';

interface DefinitionActionsProps {
  readonly noun: DefinitionKind<Definition>['noun'];
  readonly saved: Pick<Definition, 'id' | 'name'> & { readonly status?: string };
  /** What each means, as a sentence. */
  readonly hints: Readonly<Partial<Record<Verb, string>>>;
  act(verb: Verb): Promise<unknown>;
  /** It is no longer there. */
  onRemoved(): void;
}

/** Archive or activate what has a status, and delete. */
export function DefinitionActions(props: DefinitionActionsProps): ReactNode {
  const { editor } = useTexts();
  const { status } = props.saved;
  const [asked, setAsked] = useState<Verb | null>(null);
  const ofStatus = status === 'active' ? (['archive'] as const) : (['activate'] as const);
  const verbs: readonly Verb[] = [...(status === undefined ? [] : ofStatus), 'remove'];
  return (
    <>
      {verbs.map((verb) => (
        <button
          key={verb}
          type="button"
          className="button"
          data-style="secondary"
          onClick={() => setAsked(verb)}
        >
          {editor.verbs[verb]}
        </button>
      ))}
      {asked !== null && <VerbDialog {...props} verb={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

interface VerbDialogProps extends DefinitionActionsProps {
  readonly verb: Verb;
  onClose(): void;
}

function VerbDialog({ noun, saved, hints, act, onRemoved, verb, onClose }: VerbDialogProps): ReactNode {
  const client = useQueryClient();
  const { frame, editor } = useTexts();
  const action = useMutation({
    mutationFn: () => act(verb),
    onSuccess() {
      void client.invalidateQueries({ queryKey: [`${noun}s`] });
      if (verb === 'remove') onRemoved();
      else void client.invalidateQueries({ queryKey: [noun, saved.id] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={editor.verbTitles[verb](saved.name)}
      confirm={editor.verbs[verb]}
      dismiss={frame.cancel}
      danger={verb === 'remove'}
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{hints[verb]}</p>
    </ConfirmDialog>
  );
}
