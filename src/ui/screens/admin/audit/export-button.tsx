import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { eachRecord } from '../../../../client/create-client.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { saveFile } from '../../../frame/forms/save-file.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { AuditSearch } from '../admin-searches.ts';

const pageEntries = 200;
const entriesMax = 50_000;

/** Downloads the changes that the filters choose, newest first, one JSON object a line. */
export function ExportButton({ search }: { readonly search: AuditSearch }): ReactNode {
  const api = useApi();
  const { admin } = useTexts();
  const download = useMutation({
    async mutationFn() {
      const lines: string[] = [];
      const entries = eachRecord((cursor) =>
        api.GET('/api/audit-logs', {
          params: { query: { ...search, limit: pageEntries, ...(cursor !== undefined && { cursor }) } },
        }),
      );
      for await (const entry of entries) {
        lines.push(`${JSON.stringify(entry)}\n`);
        if (lines.length >= entriesMax) break;
      }
      saveFile(new Blob(lines, { type: 'application/x-ndjson' }), 'audit-log.ndjson');
    },
  });
  return (
    <>
      <button
        type="button"
        className="button"
        data-style="secondary"
        disabled={download.isPending}
        title={admin.audit.exportHint(entriesMax)}
        onClick={() => download.mutate()}
      >
        <Icon name="download" />
        {admin.audit.export}
      </button>
      <FormProblem error={download.error} />
    </>
  );
}
