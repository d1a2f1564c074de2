import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Filter } from '../../../frame/records/filter.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { SearchFilter } from '../../../frame/records/search-field.tsx';
import { type Role, roles, useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { NewUserDialog } from './new-user-dialog.tsx';
import type { User } from './user.ts';
import { UserDialog } from './user-dialog.tsx';

const route = getRouteApi('/signed-in/admin/users');

/** Who may sign in, and as what. */
export function UsersScreen(): ReactNode {
  const api = useApi();
  const { admin, jobs, runs } = useTexts();
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay('admin');
  const [role, setRole] = useState<Role | ''>('');
  const [shown, setShown] = useState<User | 'new' | null>(null);
  const filters = { sort: 'name' as const, ...(q !== '' && { q }), ...(role !== '' && { role }) };
  const query = usePages(
    ['users', filters],
    (page, signal) =>
      api.GET('/api/users', {
        params: { query: { ...filters, ...page } },
        signal,
      }),
    { isLive: false, keepsBefore: true },
  );
  const close = () => setShown(null);
  return (
    <AdminScreen
      title={admin.users.title}
      actions={
        may && (
          <button type="button" className="button" onClick={() => setShown('new')}>
            <Icon name="plus" />
            {admin.users.new}
          </button>
        )
      }
    >
      <section className="panel" aria-label={admin.users.title}>
        <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
          <SearchFilter
            label={jobs.search}
            value={q}
            onChange={(text) => void navigate({ search: text === '' ? {} : { q: text }, replace: true })}
          />
          <Filter
            label={admin.users.role}
            options={roles.map((one) => [one, admin.roles[one]] as const)}
            value={role}
            onChange={(chosen) => setRole(roles.find((one) => one === chosen) ?? '')}
          />
        </form>
        <Pages query={query} empty={admin.users.noMatches}>
          {(users) => <UserTable users={users} onChoose={setShown} />}
        </Pages>
      </section>
      {shown === 'new' && <NewUserDialog onClose={close} />}
      {shown !== null && shown !== 'new' && <UserDialog user={shown} onClose={close} />}
    </AdminScreen>
  );
}

interface UserTableProps {
  readonly users: readonly User[];
  onChoose(user: User): void;
}

function UserTable({ users, onChoose }: UserTableProps): ReactNode {
  const { admin, jobs, connectors } = useTexts();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          { label: admin.users.role },
          { label: admin.users.authenticator, isWide: true },
          { label: connectors.changed, isWide: true },
        ]}
      />
      <tbody>
        {users.map((user) => (
          <tr key={user.id}>
            <td>
              <button type="button" className="record-link record-button" onClick={() => onChoose(user)}>
                {user.name}
              </button>
              <p className="record-facts">{user.email}</p>
            </td>
            <td>
              {admin.roles[user.role as Role] ?? user.role}
              {user.status !== 'active' && <p className="record-facts">{admin.users.disabled}</p>}
            </td>
            <td className="wide-only">
              {user.totp_enabled ? admin.users.enrolled : admin.users.notEnrolled}
            </td>
            <td className="wide-only">
              <When at={user.updated_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
