import t from 'tap';
import { singerLogLevel } from '../../../src/drivers/plugins/singer/log-level.ts';

t.test('the levels of the libraries that taps are written with are found', async (t) => {
  const lines: readonly (readonly [line: string, level: string])[] = [
    ['time=2026-01-31 10:00:00 name=tap_postgres level=WARNING message=slow', 'WARNING'],
    ['CRITICAL connection refused', 'CRITICAL'],
    ['2026-01-31 10:00:00,123 | ERROR    | tap-x.people | it broke', 'ERROR'],
    ['[DEBUG] 2026-01-31 details', 'DEBUG'],
    ['{"level":"warning","event":"slow"}', 'warning'],
    ['{"levelname":"ERROR","message":"it broke"}', 'ERROR'],
    ['Traceback (most recent call last):', 'ERROR'],
    ['The word ERROR inside of a sentence', 'INFO'],
    ['INFORMATION of another kind', 'INFO'],
    ['{ no JSON', 'INFO'],
    ['', 'INFO'],
  ];
  for (const [line, level] of lines) t.equal(singerLogLevel(line), level, line);
});
