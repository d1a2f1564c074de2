import type { FilterWords } from '../../en/definitions/filters.ts';

export const filters: FilterWords = {
  label: 'Filter',
  reset: 'Zurücksetzen',
  all: 'Alle',
  anyTime: 'Jederzeit',
  custom: 'Von … bis …',
  from: (label) => `${label}, von`,
  to: (label) => `${label}, bis`,
  contains: 'Beliebig',
  notANumber: (example) => `Nicht angewandt: Das ist keine Zahl; schreiben Sie sie wie ${example}`,
  endsFirst: 'Nicht angewandt: Das Ende liegt vor dem Anfang',
  periods: {
    today: 'Heute',
    yesterday: 'Gestern',
    last_hour: 'Letzte Stunde',
    last_6_hours: 'Letzte 6 Stunden',
    last_24_hours: 'Letzte 24 Stunden',
    last_7_days: 'Letzte 7 Tage',
    last_30_days: 'Letzte 30 Tage',
    last_90_days: 'Letzte 90 Tage',
    this_month: 'Dieser Monat',
    last_month: 'Letzter Monat',
    this_year: 'Dieses Jahr',
  },
};
