/** The filters of a dashboard, for members and for people with its link. */
export const filters = {
  label: 'Filters',
  reset: 'Reset',
  all: 'All',
  anyTime: 'Any time',
  custom: 'From … to …',
  from: (label: string) => `${label}, from`,
  to: (label: string) => `${label}, to`,
  contains: 'Any',
  notANumber: (example: string) => `Not applied: this is not a number; write it as ${example}`,
  endsFirst: 'Not applied: it ends before it begins',
  periods: {
    today: 'Today',
    yesterday: 'Yesterday',
    last_hour: 'Last hour',
    last_6_hours: 'Last 6 hours',
    last_24_hours: 'Last 24 hours',
    last_7_days: 'Last 7 days',
    last_30_days: 'Last 30 days',
    last_90_days: 'Last 90 days',
    this_month: 'This month',
    last_month: 'Last month',
    this_year: 'This year',
  },
};

export type FilterWords = typeof filters;
