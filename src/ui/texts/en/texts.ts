import { account } from './account.ts';
import { connectors } from './connectors.ts';
import { editor } from './editor.ts';
import { enrolment } from './enrolment.ts';
import { frame } from './frame.ts';
import { home } from './home.ts';
import { jobs } from './jobs.ts';
import { letters } from './letters.ts';
import { log } from './log.ts';
import { run } from './run.ts';
import { runs } from './runs.ts';
import { setUp } from './set-up.ts';
import { signIn } from './sign-in.ts';
import { tasks } from './tasks.ts';

/** Every text of the page for those who sign in, by screen. Another language has the same keys: the compiler says what is missing. */
export const texts = {
  account,
  connectors,
  editor,
  enrolment,
  frame,
  home,
  jobs,
  letters,
  log,
  run,
  runs,
  setUp,
  signIn,
  tasks,
};

export type Texts = typeof texts;
