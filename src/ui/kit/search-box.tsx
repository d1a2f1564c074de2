import { type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';

const searchCharsMax = 200;

interface SearchBoxProps {
  readonly title: string;
  readonly value: string;
  onChange(text: string): void;
}

export function SearchBox({ title, value, onChange }: SearchBoxProps): ReactNode {
  const id = useId();
  return (
    <div className="table-search">
      <Icon name="search" size={14} />
      <label htmlFor={id} className="visually-hidden">
        Search in {title}
      </label>
      <input
        id={id}
        type="search"
        maxLength={searchCharsMax}
        placeholder="Search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
