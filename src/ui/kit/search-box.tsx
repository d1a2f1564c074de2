import { type ReactNode, useId } from 'react';
import { useWords } from '../texts/words-context.ts';
import { Icon } from './icon.tsx';

const searchCharsMax = 200;

interface SearchBoxProps {
  readonly title: string;
  readonly value: string;
  onChange(text: string): void;
}

export function SearchBox({ title, value, onChange }: SearchBoxProps): ReactNode {
  const words = useWords();
  const id = useId();
  return (
    <div className="table-search">
      <Icon name="search" size={14} />
      <label htmlFor={id} className="visually-hidden">
        {words.table.searchIn(title)}
      </label>
      <input
        id={id}
        type="search"
        maxLength={searchCharsMax}
        placeholder={words.table.search}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
