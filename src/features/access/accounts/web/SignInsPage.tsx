import { useDebouncedValue } from '@mantine/hooks'
import { IconUserSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { formatCount, capitalize } from '../../../../contract/format.ts'
import { RECORD_NOUNS } from '../../../../contract/records.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { SearchInput } from '../../../../platform/web/kit/SearchInput.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { useIsNarrow } from '../../../../platform/web/narrow.ts'
import type { Account } from '../contract.ts'
import { formatLevel, formatRelativeMoment } from '../rules.ts'
import { useAccounts } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import log from '../../../../platform/web/list/LogTable.module.css'
import classes from './SignInsPage.module.css'

const { timeZone } = configuration
const DEBOUNCE_MS = 200

const AccountName = ({ account: { _id, name, azureID } }: { account: Account }) => (
  <span className={layoutClasses.iconAndText}>
    <Avatar name={name} size={36} />
    <span className={layoutClasses.column}>
      <Link to="/accounts/$id" params={{ id: _id }} className={`${textClasses.name} ${classes.name}`}>
        {name}
      </Link>
      {name === azureID ? null : <span className={`${textClasses.caption} ${classes.address}`}>{azureID}</span>}
    </span>
  </span>
)

const AccountCards = ({ accounts }: { accounts: readonly Account[] }) => (
  <ul aria-label="Sign-ins">
    {accounts.map((account) => (
      <li key={account._id} className={`${layoutClasses.lineAbove} ${layoutClasses.positioned} ${layoutClasses.vertical} ${classes.card}`}>
        <AccountName account={account} />
        <span className={`${textClasses.caption} ${classes.detail}`}>
          Level {account.accessLevel} · {formatCount(account.sessions, 'session')}
          {account.copies > 0 ? ` · ${formatCount(account.copies, ['offline copy', 'offline copies'])}` : null}
          {account.tokens > 0 ? ` · ${formatCount(account.tokens, 'API token')}` : null}
        </span>
        <span className={`${textClasses.caption} ${classes.detail}`}>Last active {formatRelativeMoment(account.usedAt, timeZone)}</span>
      </li>
    ))}
  </ul>
)

const AccountTable = ({ accounts }: { accounts: readonly Account[] }) => (
  <table className={`${textClasses.small} ${layoutClasses.fullWidth} ${log.table} ${classes.table}`} aria-label="Sign-ins">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Level</th>
        <th scope="col" className={log.number}>
          Sessions
        </th>
        <th scope="col" className={log.number}>
          Offline copies
        </th>
        <th scope="col" className={log.number}>
          API tokens
        </th>
        <th scope="col">Last active</th>
      </tr>
    </thead>
    <tbody>
      {accounts.map((account) => (
        <tr key={account._id}>
          <th scope="row">
            <AccountName account={account} />
          </th>
          <td>
            {account.accessLevel}, {formatLevel(account.accessLevel)}
          </td>
          <td className={log.number}>{account.sessions}</td>
          <td className={log.number}>{account.copies}</td>
          <td className={log.number}>{account.tokens}</td>
          <td className={textClasses.figures}>{capitalize(formatRelativeMoment(account.usedAt, timeZone))}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const formatSummary = (total: number, shown: number, isSearched: boolean): string => {
  const people = formatCount(total, RECORD_NOUNS.person)
  if (shown < total) return `${people} ${isSearched ? 'found' : 'have signed in'}. Showing the ${shown} most recent`
  if (isSearched) return `${people} found`
  return `${people} ${total === 1 ? 'has' : 'have'} signed in`
}

/** `/accounts`: the people who have signed in, with their sessions and API tokens. */
export const SignInsPage = () => {
  const typed = useListSearch()
  const [searchText] = useDebouncedValue(typed.text.trim(), DEBOUNCE_MS)
  const query = useAccounts(searchText)
  const isNarrow = useIsNarrow()
  const { data } = query
  return (
    <>
      <ListHead
        title="Sign-ins"
        summary={data && formatSummary(data.total, data.accounts.length, searchText !== '')}
        failed={query.isError}
      />
      <search className={`${layoutClasses.block} ${layoutClasses.bottomMargin20} ${classes.search}`} data-print="no">
        <SearchInput label="Search people who have signed in" placeholder="Name or work email" search={typed} />
      </search>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {({ accounts }) =>
          accounts.length === 0 ? (
            <EmptyState icon={IconUserSearch} title="No sign-ins to display">
              <p>No one who has signed in matches your search.</p>
            </EmptyState>
          ) : isNarrow ? (
            <AccountCards accounts={accounts} />
          ) : (
            <AccountTable accounts={accounts} />
          )
        }
      </LoadedList>
    </>
  )
}
