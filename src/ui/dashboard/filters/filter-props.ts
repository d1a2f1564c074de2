import type { FilterPayload } from '../../api/dashboard-payload.ts';
import type { FilterWords } from '../../texts/en/definitions/filters.ts';

export interface FilterControlProps {
  readonly filter: FilterPayload;
  /** As the address has it; empty for nothing. */
  readonly text: string;
  readonly words: FilterWords;
  onChoose(text: string): void;
}
