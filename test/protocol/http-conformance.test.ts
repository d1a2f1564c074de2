import t from 'tap';
import { conformance } from './conformance.ts';
import { plainHttpBinding, secureHttpBinding } from './support/http-binding.ts';

conformance(t, plainHttpBinding);
conformance(t, secureHttpBinding);
