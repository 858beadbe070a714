import { IconInbox } from '@tabler/icons-react'

import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { Chips, FilterChoice, Filters, FilterToggle, MatchCount, SearchField } from '../../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../../platform/web/list/NothingMatches.tsx'
import { useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useCan } from '../../../access/session/web/queries.ts'
import { MAX_REQUESTS, RequestKind, RequestState } from '../contract.ts'
import type { RequestRecord } from '../contract.ts'
import { STATE_LABELS } from '../rules.ts'
import type { ShowsCurrentValues } from './current-values.ts'
import { useOwnRequests, useRequests } from './queries.ts'
import { RequestDrawer } from './RequestDrawer.tsx'
import { RequestRow } from './RequestRow.tsx'

import classes from './RequestsPage.module.css'

const KIND_CHOICES: Record<RequestRecord['kind'], string> = { change: 'Change requests', support: 'Support requests' }
const findKind = (label: string | undefined) => RequestKind.options.find((kind) => KIND_CHOICES[kind] === label)
const show = (count: number): string => count.toLocaleString('en-US')

const Rows = ({ requests, isOwn }: { requests: readonly RequestRecord[]; isOwn: boolean }) => (
  <ul className={classes.rows} aria-label="Requests">
    {requests.map((request) => (
      <RequestRow key={request._id} request={request} isOwn={isOwn} />
    ))}
  </ul>
)

/** All requests, for those who answer them; open ones by default. */
const AllRequests = () => {
  const [search, change] = useSearchParams()
  const typed = useListSearch()
  const state = search['state'] === 'all' ? undefined : (RequestState.safeParse(search['state']).data ?? 'open')
  const kind = RequestKind.safeParse(search['kind']).data
  const q = typed.deferredText.trim()
  const query = useRequests({ state, kind, q })
  const counts = query.data?.counts
  const all = counts && counts.open + counts.done + counts.declined
  return (
    <>
      <ListHead
        title="Requests"
        summary={counts && `${show(counts.open)} open, ${show(counts.done)} done, ${show(counts.declined)} declined`}
        failed={query.isError}
      />
      <Filters>
        <SearchField label="Search by text, site or sender" typed={typed} />
        <Chips label="Filters">
          {RequestState.options.map((one) => (
            <FilterToggle
              key={one}
              label={STATE_LABELS[one]}
              on={state === one}
              onToggle={(on) => change({ state: on ? (one === 'open' ? undefined : one) : 'all' })}
            />
          ))}
          <FilterChoice
            label="Kind"
            all="All kinds"
            choices={RequestKind.options.map((one) => KIND_CHOICES[one])}
            chosen={kind && KIND_CHOICES[kind]}
            onChoose={(label) => change({ kind: findKind(label) })}
          />
        </Chips>
      </Filters>
      <MatchCount
        matching={query.data?.matching}
        all={all}
        more={query.data && query.data.matching > MAX_REQUESTS ? `; only the newest ${MAX_REQUESTS} are shown` : ''}
      />
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {({ requests }) =>
          requests.length > 0 ? (
            <Rows requests={requests} isOwn={false} />
          ) : (
            <NothingMatches
              icon={IconInbox}
              title="No requests to display"
              noun={['request', 'requests']}
              all={all ?? 0}
              typed={q}
              kind={[state, kind].filter(Boolean).join(' ')}
              filters={[]}
              hidden={[]}
              onClearSearch={() => change({ state: 'all', kind: undefined, q: undefined })}
              onClearFilter={() => change({ state: 'all', kind: undefined })}
            />
          )
        }
      </LoadedList>
    </>
  )
}

/** The user's own requests, for everybody else. */
const OwnRequests = () => {
  const query = useOwnRequests()
  const open = query.data?.filter(({ state }) => state === 'open').length ?? 0
  return (
    <>
      <ListHead title="My Requests" summary={query.data && `${show(query.data.length)} sent, ${show(open)} open`} failed={query.isError} />
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(requests) =>
          requests.length > 0 ? (
            <Rows requests={requests} isOwn />
          ) : (
            <EmptyState icon={IconInbox} title="No requests to display">
              <p>
                Your requests and their answers are listed here. To request a change, use Request a Change on a site’s page. For help, use
                Support in the menu.
              </p>
            </EmptyState>
          )
        }
      </LoadedList>
    </>
  )
}

/** `/requests`: all requests for level 6 or lower, otherwise the user's own. The open request is in the address. */
export const RequestsPage = ({ CurrentValues }: ShowsCurrentValues) => {
  const canAnswer = useCan('answer requests')
  const [{ request }, change] = useSearchParams()
  return (
    <div className={classes.page}>
      {canAnswer ? <AllRequests /> : <OwnRequests />}
      {request ? <RequestDrawer id={request} CurrentValues={CurrentValues} onClose={() => change({ request: undefined })} /> : null}
    </div>
  )
}
