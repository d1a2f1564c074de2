import type { ReactNode } from 'react';
import { commandText, curlText, keyVariable, type ScriptCall } from '../../kit/script-call.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { CodeText } from '../records/code-text.tsx';
import { CopyButton } from './copy-button.tsx';

interface ScriptSectionProps {
  readonly calls: readonly ScriptCall[];
  /** Which of the things that a screen does. */
  readonly subject?: string;
  /** What else there is to know of them. */
  readonly note?: string;
}

/** What a screen does, as lines to copy for a shell: with curl, and with the command line where it can. */
export function ScriptSection({ calls, subject, note }: ScriptSectionProps): ReactNode {
  const { frame } = useTexts();
  const { origin } = window.location;
  const commands = calls.flatMap((call) => commandText(origin, call) ?? []);
  const variables = calls.flatMap((call) => call.variables ?? []).map(({ name }) => name);
  return (
    <details className="script">
      <summary>{subject === undefined ? frame.script.title : `${frame.script.title}: ${subject}`}</summary>
      <p className="field-hint">{frame.script.hint(keyVariable)}</p>
      {variables.length > 0 && <p className="field-hint">{frame.script.secrets(variables.join(', '))}</p>}
      {note !== undefined && <p className="field-hint">{note}</p>}
      <ScriptLines label={frame.script.curl} lines={calls.map((call) => curlText(origin, call))} />
      {commands.length === calls.length && <ScriptLines label={frame.script.command} lines={commands} />}
    </details>
  );
}

interface ScriptLinesProps {
  readonly label: string;
  readonly lines: readonly string[];
}

function ScriptLines({ label, lines }: ScriptLinesProps): ReactNode {
  const text = lines.join('\n');
  return (
    <>
      <div className="panel-head">
        <h3>{label}</h3>
        <CopyButton text={text} />
      </div>
      <CodeText label={label}>{text}</CodeText>
    </>
  );
}
