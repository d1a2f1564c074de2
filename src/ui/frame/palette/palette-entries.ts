import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import type { Texts } from '../../texts/en/texts.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { isLabel } from '../labels/label-text.ts';
import { type Role, useMay } from '../session/role.ts';
import { useApi } from '../state/api-context.ts';
import { PaletteActionsContext } from './palette-actions.ts';
import { findRecords, type PaletteRecord } from './palette-records.ts';

/** Somewhere to go, or something to do. */
export type PaletteEntry = PaletteRecord | PaletteDeed;

interface PaletteDeed {
  readonly label: string;
  /** Its keys, if it has any. */
  readonly kind: string;
  run(): void;
}

const delayMs = 150;
const charsMax = 200;

/** Screens and actions whose words hold what is typed, then the records whose names do. */
export function usePaletteEntries(typed: string): {
  readonly entries: readonly PaletteEntry[];
  readonly isSearching: boolean;
} {
  const api = useApi();
  const client = useQueryClient();
  const texts = useTexts();
  const text = typed.trim().slice(0, charsMax);
  const settled = useSettled(text);
  const may = useMayAll();
  const found = useQuery({
    queryKey: ['palette', settled, may.admin],
    queryFn: ({ signal }) => findRecords({ api, client, texts, isAdmin: may.admin }, settled, signal),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const deeds = [...(useContext(PaletteActionsContext) ?? [])].map(({ label, keys, run }) => ({
    label,
    kind: keys ?? texts.palette.here,
    run,
  }));
  const places = placesOf(texts).filter(({ role }) => role === undefined || may[role]);
  const fixed = [...deeds, ...places].filter(({ label }) =>
    words.every((word) => label.toLowerCase().includes(word)),
  );
  return {
    entries: [
      ...numbered(texts, text),
      ...labelled(texts, text),
      ...fixed,
      ...(text === '' ? [] : (found.data ?? [])),
    ],
    isSearching: text !== '' && (text !== settled || found.isFetching),
  };
}

/** A text once its typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function useMayAll() {
  return { editor: useMay('editor'), admin: useMay('admin'), superadmin: useMay('superadmin') };
}

type Place = PaletteRecord & { readonly role?: Extract<Role, 'editor' | 'admin' | 'superadmin'> };

function placesOf(texts: Texts): Place[] {
  const { frame, palette, tasks, templates, jobs, connectors, admin, account } = texts;
  const { bundles, executors, metrics, references } = texts;
  const screen = palette.screen;
  const action = palette.action;
  return [
    { label: frame.home, kind: screen, to: '/' },
    { label: frame.runs, kind: screen, to: '/runs' },
    { label: frame.jobs, kind: screen, to: '/jobs' },
    { label: frame.dashboards, kind: screen, to: '/dashboards' },
    { label: frame.letters, kind: screen, to: '/dead-letters' },
    { label: frame.connectors, kind: screen, to: '/connectors' },
    { label: templates.title, kind: screen, to: '/templates' },
    { label: frame.tasks, kind: screen, to: '/tasks' },
    { label: account.title, kind: screen, to: '/account' },
    { label: admin.users.title, kind: frame.admin, to: '/admin/users', role: 'admin' },
    { label: admin.apiKeys.title, kind: frame.admin, to: '/admin/api-keys', role: 'admin' },
    { label: executors.title, kind: frame.admin, to: '/admin/executors', role: 'admin' },
    { label: executors.queue.title, kind: frame.admin, to: '/admin/queue', role: 'admin' },
    { label: admin.channels.title, kind: frame.admin, to: '/admin/notifications', role: 'admin' },
    { label: admin.webhooks.title, kind: frame.admin, to: '/admin/webhooks', role: 'admin' },
    { label: metrics.title, kind: frame.admin, to: '/admin/metrics', role: 'admin' },
    { label: bundles.title, kind: frame.admin, to: '/admin/bundles', role: 'admin' },
    { label: references.title, kind: frame.admin, to: '/admin/ai-references', role: 'admin' },
    { label: admin.audit.title, kind: frame.admin, to: '/admin/audit', role: 'admin' },
    { label: admin.settings.title, kind: frame.admin, to: '/admin/settings', role: 'superadmin' },
    { label: admin.about.title, kind: frame.admin, to: '/admin/about', role: 'admin' },
    { label: jobs.new, kind: action, to: '/jobs/new', role: 'editor' },
    { label: connectors.new, kind: action, to: '/connectors/new', role: 'editor' },
    { label: templates.new, kind: action, to: '/templates/new', role: 'editor' },
    { label: tasks.new, kind: action, to: '/tasks/new', role: 'editor' },
  ];
}

/** A number is that of a run or a job run. */
function numbered({ palette }: Texts, text: string): PaletteRecord[] {
  if (!/^[1-9]\d{0,14}$/.test(text)) return [];
  const id = Number(text);
  return [
    { label: palette.jobRun(id), kind: palette.record, to: '/job-runs/$id', id },
    { label: palette.run(id), kind: palette.record, to: '/runs/$id', id },
  ];
}

/** A label leads to the jobs, runs and dead letters that have it. */
function labelled({ palette, frame }: Texts, text: string): PaletteRecord[] {
  if (!text.includes(':') || !isLabel(text)) return [];
  const lists = [
    [frame.jobs, '/jobs'],
    [frame.runs, '/runs'],
    [frame.letters, '/dead-letters'],
  ] as const;
  return lists.map(([list, to]) => ({
    label: palette.labelled(list, text),
    kind: palette.label,
    to,
    search: { label: [text] },
  }));
}
