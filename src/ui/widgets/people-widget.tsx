import type { ReactNode } from 'react';
import { EmptyState } from '../kit/empty-state.tsx';
import { Icon } from '../kit/icon.tsx';
import { SafeLink } from '../kit/text/markdown.tsx';
import { safeImageUrl } from '../kit/text/safe-url.ts';
import type { WidgetBodyProps } from '../kit/widget/widget-body.ts';
import { listOf, objectOf } from '../kit/widget/widget-config.ts';
import { useWords } from '../texts/words-context.ts';

interface Person {
  readonly name?: string | null;
  readonly role?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly avatar?: string | null;
  readonly href?: string | null;
}

/** Contact cards. Images from other sites are not loaded; initials are shown instead. */
export function PeopleWidget({ data }: WidgetBodyProps): ReactNode {
  const words = useWords();
  const people = listOf(
    objectOf<{ people: readonly Person[] }>(data, 'a list of people').people,
    'a list of people',
  );
  if (people.length === 0) return <EmptyState>{words.noContacts}</EmptyState>;
  return (
    <ul className="people">
      {people.map((person) => (
        <li key={`${person.name} ${person.email} ${person.phone}`}>
          <Avatar person={person} />
          <div className="person">
            <SafeLink href={person.href} className="person-name">
              {person.name ?? person.email ?? words.unnamed}
            </SafeLink>
            {person.role && <span className="person-role">{person.role}</span>}
            {person.email && (
              <SafeLink href={`mailto:${person.email}`} className="person-contact">
                <Icon name="mail" size={13} /> {person.email}
              </SafeLink>
            )}
            {person.phone && (
              <SafeLink href={`tel:${person.phone.replace(/[^\d+]/g, '')}`} className="person-contact">
                <Icon name="phone" size={13} /> {person.phone}
              </SafeLink>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Avatar({ person }: { readonly person: Person }): ReactNode {
  const image = safeImageUrl(person.avatar);
  if (image !== null) return <img className="avatar" src={image} alt="" width={40} height={40} />;
  const initials = (person.name ?? '?')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => [...word][0] ?? '')
    .filter((_, at, all) => at === 0 || at === all.length - 1)
    .join('');
  return (
    <span className="avatar" aria-hidden="true">
      {initials.toLocaleUpperCase()}
    </span>
  );
}
