import { IconInbox } from '@tabler/icons-react'
import { type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react'

import { formatNumber } from '../../../../contract/format.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { findShortcut, isDialogOpen, isTyping, useKeyDown } from '../../../../platform/web/keyboard.ts'
import { EmptyLinks } from '../../../../platform/web/kit/EmptyLinks.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { Chips, Filters, FilterToggle, MatchCount, SearchField } from '../../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../../platform/web/list/NothingMatches.tsx'
import { useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useListedShortcuts } from '../../../../platform/web/shortcuts.ts'
import { MAX_REQUESTS, RequestState, type Proposal, type RequestRecord } from '../contract.ts'
import { REQUEST_STATE_LABELS } from '../rules.ts'
import type { ShowsCurrentValues } from './current-values.ts'
import { useOwnRequests, useProposals, useRequests } from './queries.ts'
import { RequestDrawer } from './RequestDrawer.tsx'
import { RequestRow } from './RequestRow.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './RequestsPage.module.css'

/** A suggestion is a change request that is decided field by field. */
const SHOWN_KINDS = ['suggestion', 'change', 'support'] as const
type ShownKind = (typeof SHOWN_KINDS)[number]
const KIND_CHOICES: Record<ShownKind, string> = { suggestion: 'Suggestions', change: 'Change requests', support: 'Support requests' }
const getKind = ({ kind, openFields }: RequestRecord): ShownKind => (openFields === null ? kind : 'suggestion')
const ROW_KEYS = { down: { keys: ['J'], does: 'Next request' }, up: { keys: ['K'], does: 'Previous request' } }
const REQUESTS_GROUP = { title: 'Requests', shortcuts: { ...ROW_KEYS, open: { keys: ['Enter'], does: 'Open the request' } } }

/** Keys that move between rows; Enter opens the focused one. */
const useListKeys = (list: RefObject<HTMLElement | null>): void => {
  useListedShortcuts(REQUESTS_GROUP)
  useKeyDown((event) => {
    const move = findShortcut(event, ROW_KEYS)
    if (move === undefined || isTyping(event.target) || isDialogOpen() || event.shiftKey) return
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
    const at = links.findIndex((link) => link === document.activeElement)
    const next = at === -1 ? links[0] : links[at + (move === 'down' ? 1 : -1)]
    next?.focus()
  })
}

interface RowsProps {
  requests: readonly RequestRecord[]
  proposals: readonly Proposal[] | undefined
  isOwn: boolean
}

/** A long list is rendered in steps while it is scrolled. */
const DRAWN_ROWS = 60

const Rows = ({ requests, proposals = [], isOwn }: RowsProps) => {
  const byId = useMemo(() => new Map(proposals.map((proposal) => [proposal._id, proposal])), [proposals])
  const list = useRef<HTMLUListElement>(null)
  const end = useRef<HTMLLIElement>(null)
  const [drawn, setDrawn] = useState(DRAWN_ROWS)
  useListKeys(list)
  const hasMore = requests.length > drawn
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) startTransition(() => setDrawn((rows) => rows + DRAWN_ROWS))
      },
      { rootMargin: '1500px' },
    )
    if (end.current) observer.observe(end.current)
    return () => observer.disconnect()
  }, [hasMore, drawn])
  return (
    <ul ref={list} className={`${layoutClasses.topMargin8} ${classes.rows}`} aria-label="Requests">
      {requests.slice(0, drawn).map((request) => (
        <RequestRow key={request._id} request={request} proposal={byId.get(request._id)} isOwn={isOwn} />
      ))}
      {hasMore ? <li ref={end} aria-hidden /> : null}
    </ul>
  )
}

/** All requests, for users who answer them; open ones by default. */
const AllRequests = () => {
  const [search, change] = useSearchParams()
  const typed = useListSearch()
  const state = search['state'] === 'all' ? undefined : (RequestState.safeParse(search['state']).data ?? 'open')
  const kind = SHOWN_KINDS.find((one) => one === search['kind'])
  const q = typed.deferredText.trim()
  const query = useRequests({ state, kind: kind === 'suggestion' ? 'change' : kind, q })
  const { data: ofAllKinds } = useRequests({ state, q })
  const { data: open = [] } = useProposals('open')
  const { data: decided = [] } = useProposals('decided', state !== 'open')
  const proposals = useMemo(() => [...open, ...decided], [open, decided])
  const shown = useMemo(() => {
    const ofKind = query.data?.requests.filter((request) => kind === undefined || getKind(request) === kind) ?? []
    // The longest waiting come first.
    return state === 'open' ? ofKind.toReversed() : ofKind
  }, [query.data, kind, state])
  const counts = query.data?.counts
  const all = counts && counts.open + counts.done + counts.declined
  return (
    <>
      <ListHead
        title="Requests"
        summary={
          counts && `${formatNumber(counts.open)} open, ${formatNumber(counts.done)} done, ${formatNumber(counts.declined)} declined`
        }
        failed={query.isError}
      />
      <Filters>
        <SearchField label="Search by text, site or sender" typed={typed} />
        <Chips label="Filters">
          {RequestState.options.map((one) => (
            <FilterToggle
              key={one}
              label={REQUEST_STATE_LABELS[one]}
              on={state === one}
              onToggle={(on) => change({ state: on ? (one === 'open' ? undefined : one) : 'all' })}
            />
          ))}
          {SHOWN_KINDS.map((one) => (
            <FilterToggle
              key={one}
              label={`${KIND_CHOICES[one]} ${formatNumber(ofAllKinds?.requests.filter((request) => getKind(request) === one).length ?? 0)}`}
              on={kind === one}
              onToggle={(on) => change({ kind: on ? one : undefined })}
            />
          ))}
        </Chips>
      </Filters>
      <MatchCount
        matching={query.data && (kind === undefined || kind === 'support' ? query.data.matching : shown.length)}
        all={all}
        more={query.data && query.data.matching > MAX_REQUESTS ? `; only the newest ${MAX_REQUESTS} are shown` : ''}
      />
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {() =>
          shown.length > 0 ? (
            <Rows requests={shown} proposals={proposals} isOwn={false} />
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
              beginning={
                <>
                  <p>
                    What people ask for and suggest is listed here. They use Request a Change on the page of a site, or Support in the menu.
                  </p>
                  <EmptyLinks links={REQUEST_SOURCES} />
                </>
              }
              onClearSearch={() => change({ state: 'all', kind: undefined, q: undefined })}
              onClearFilter={() => change({ state: 'all', kind: undefined })}
            />
          )
        }
      </LoadedList>
    </>
  )
}

/** Where requests begin. */
const REQUEST_SOURCES = [{ label: 'Open Resource Centers', to: '/locations' }] as const

/** The user's own requests, for everyone else. */
const OwnRequests = () => {
  const query = useOwnRequests()
  const { data: proposals } = useProposals('mine')
  const open = query.data?.filter(({ state }) => state === 'open').length ?? 0
  return (
    <>
      <ListHead
        title="My Requests"
        summary={query.data && `${formatNumber(query.data.length)} sent, ${formatNumber(open)} open`}
        failed={query.isError}
      />
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(requests) =>
          requests.length > 0 ? (
            <Rows requests={requests} proposals={proposals} isOwn />
          ) : (
            <EmptyState icon={IconInbox} title="No requests to display">
              <p>
                Your requests and their answers are listed here. To request a change, use Request a Change on a site’s page. For help, use
                Support in the menu.
              </p>
              <EmptyLinks links={REQUEST_SOURCES} />
            </EmptyState>
          )
        }
      </LoadedList>
    </>
  )
}

/** `/requests`: all requests for level 6 or lower, otherwise the user's own. The open request is in the URL. */
export const RequestsPage = ({ CurrentValues }: ShowsCurrentValues) => {
  const canAnswer = useCan('answer requests')
  const [{ request }, change] = useSearchParams()
  return (
    <div className={layoutClasses.narrowPage}>
      {canAnswer ? <AllRequests /> : <OwnRequests />}
      {request ? <RequestDrawer id={request} CurrentValues={CurrentValues} onClose={() => change({ request: undefined })} /> : null}
    </div>
  )
}
