import { useQuery } from '@tanstack/react-query';
import { useCatalogue } from '../../../texts/texts-context.tsx';

/** A cron expression in words of the page's language; as it is until the words are loaded, and where it has none. */
export function useScheduleText(): (cron: string) => string {
  const { language } = useCatalogue();
  const { data: words } = useQuery({
    queryKey: ['cron-words'],
    queryFn: async () => (await import('cronstrue/i18n')).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (cron) => {
    if (words === undefined || cron.trim() === '') return cron;
    try {
      return words.toString(cron, { locale: language, use24HourTimeFormat: true });
    } catch {
      return cron;
    }
  };
}
