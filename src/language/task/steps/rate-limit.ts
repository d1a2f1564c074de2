import { map, submap } from '../../declare/map.ts';
import { duration, integer } from '../../declare/values.ts';

/** `rate_limit: {limit, per}`: milliseconds from one beginning to the next. `limitWords` say what begins. */
export function rateLimit(words: string, limitWords: string) {
  const keys = {
    limit: integer(limitWords, { min: 1, max: 100_000, required: true }),
    per: duration('The time.', { default: 1_000, max: 86_400_000 }),
  };
  return submap(map(words, keys, { make: ({ limit, per }) => ({ everyMs: per / limit }) }));
}
