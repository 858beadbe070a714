import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useCallback, useRef } from 'react'

import { formatCount } from '../../../../contract/format.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { EmptyState, EmptyStateActions } from '../../../../platform/web/kit/EmptyState.tsx'
import { Chips, FilterToggle } from '../../../../platform/web/list/Filters.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useListedShortcuts } from '../../../../platform/web/shortcuts.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import type { Contradiction, Deadline, UnreadText } from '../contract.ts'
import { ContradictionRow } from './ContradictionRow.tsx'
import { getContradictionKey, getContradictionKind, isOfTwoDates } from './contradictions.ts'
import { useDeadlineActions } from './deadline-actions.ts'
import { SORT_OUT_GROUP } from './deadline-keys.ts'
import { CharterChoice, KindChoice } from './DeadlineFilters.tsx'
import { useContradictions, useDeadlines, useUnreadTexts } from './queries.ts'
import { type TextToDate, UnreadTextRow } from './UnreadTextRow.tsx'
import { useDeadlineFilter } from './use-deadline-filter.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SortOutView.module.css'

interface PartsProps {
  readonly proposals: readonly Deadline[]
  readonly contradictions: readonly Contradiction[]
  readonly texts: readonly UnreadText[]
}

const toTextToDate = (deadline: Deadline): TextToDate => {
  const { section = null, field = null, row = null, text = null } = deadline.source ?? {}
  const { _id, kind, title, charter, site, why, formerDate, proposedDates, responsible, version } = deadline
  const stored = { _id, kind, title, charter, site, formerDate, proposedDates, responsible, version, section, row }
  return { ...stored, field: field ?? '', text: text ?? '', why: why ?? '' }
}

interface TextListProps {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly texts: readonly TextToDate[]
  readonly mayChange: (text: TextToDate) => boolean
  readonly prepareFocus: (row: Element | null) => () => void
}

const TextList = ({ id, title, about, texts, mayChange, prepareFocus }: TextListProps) =>
  texts.length === 0 ? null : (
    <section className={layoutClasses.sectionEnd} aria-labelledby={id}>
      <h2 id={id} className={`${textClasses.strong} ${classes.title}`}>
        {title} <span className={textClasses.count}>{texts.length.toLocaleString('en-US')}</span>
      </h2>
      <p className={`${textClasses.dimmed} ${classes.about}`}>{about}</p>
      <div className={`${textClasses.label} ${layoutClasses.lineBelow} ${layoutClasses.bottomPadding8} ${classes.heads}`} aria-hidden>
        <span>Field</span>
        <span>Text</span>
        <span>Why</span>
        <span>Date</span>
      </div>
      <ul className={classes.list}>
        {texts.map((text) => (
          <UnreadTextRow key={text._id} text={text} mayChange={mayChange(text)} prepareFocus={prepareFocus} />
        ))}
      </ul>
    </section>
  )

/** Moves the focus to the next field or button when a row is done, for processing many rows quickly. Determined before the row is removed. */
const useNextFocus = () => {
  const list = useRef<HTMLDivElement>(null)
  const prepareFocus = useCallback((row: Element | null) => {
    const rows = [...(list.current?.querySelectorAll('[data-sort-out]') ?? [])]
    const at = row === null ? -1 : rows.indexOf(row)
    const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at)).toReversed()]
    return () =>
      requestAnimationFrame(() => {
        const target = others.find(({ isConnected }) => isConnected)?.querySelector<HTMLElement>('input, button')
        ;(target ?? document.querySelector<HTMLElement>('#main h1[tabindex]'))?.focus()
      })
  }, [])
  return { list, prepareFocus }
}

interface ContradictionListProps {
  id: string
  title: string
  about: string
  contradictions: readonly Contradiction[]
  mayChange: boolean
  prepareFocus: (row: Element | null) => () => void
}

const ContradictionList = ({ id, title, about, contradictions, ...row }: ContradictionListProps) =>
  contradictions.length === 0 ? null : (
    <section className={layoutClasses.sectionEnd} aria-labelledby={id}>
      <h2 id={id} className={`${textClasses.strong} ${classes.title}`}>
        {title} <span className={textClasses.count}>{contradictions.length.toLocaleString('en-US')}</span>
      </h2>
      <p className={`${textClasses.dimmed} ${classes.about}`}>{about}</p>
      <ul className={classes.list}>
        {contradictions.map((contradiction) => (
          <ContradictionRow key={getContradictionKey(contradiction)} contradiction={contradiction} {...row} />
        ))}
      </ul>
    </section>
  )

const Parts = ({ proposals, contradictions, texts }: PartsProps) => {
  const { list, prepareFocus } = useNextFocus()
  const { mayManage, mayAct } = useDeadlineActions()
  return (
    <div ref={list}>
      <TextList
        id="to-confirm"
        title="Dates to confirm"
        about="Not in any reminder, calendar or count until someone confirms them. Press C to confirm the date of the row with focus."
        texts={proposals.map(toTextToDate)}
        mayChange={mayAct}
        prepareFocus={prepareFocus}
      />
      <ContradictionList
        id="contradictions"
        title="Contradictions"
        about="Choose the correct date. The other text is updated to match, and both stay in the history."
        contradictions={contradictions.filter(isOfTwoDates)}
        mayChange={mayManage}
        prepareFocus={prepareFocus}
      />
      <ContradictionList
        id="ended"
        title="Ended, but still current"
        about="The date has passed, and the record still counts as current. Change the date, or close the record."
        contradictions={contradictions.filter((one) => !isOfTwoDates(one))}
        mayChange={mayManage}
        prepareFocus={prepareFocus}
      />
      <TextList
        id="texts"
        title="Texts without a date"
        about="Not in any calendar until a date is set. The text does not change; the date is stored with it."
        texts={texts.map((text) => ({ ...text, proposedDates: [] }))}
        mayChange={() => mayManage}
        prepareFocus={prepareFocus}
      />
    </div>
  )
}

const NothingToSortOut = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) => (
  <EmptyState icon={IconCheck} title={isFiltered ? 'Nothing to sort out here' : 'Every text has a date'}>
    <p>{isFiltered ? 'No text or contradiction is as the filters ask.' : 'No date waits to be confirmed or contradicts another one.'}</p>
    {isFiltered ? (
      <EmptyStateActions>
        <Button variant="default" onClick={onClear}>
          Show all
        </Button>
      </EmptyStateActions>
    ) : null}
  </EmptyState>
)

const SHOWN = ['all', 'to-confirm', 'contradictions', 'texts'] as const

/** After an upgrade: how many dates that an earlier version took for certain are not. */
const NoLongerCertain = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <p className={`${layoutClasses.band} ${layoutClasses.bottomMargin24}`} data-tone="wait">
      {formatCount(count, ['date is no longer certain and waits for you', 'dates are no longer certain and wait for you'])}. Homeroom now
      reads a date only from a text that it understands completely. Responsible people, notes and histories are kept.
    </p>
  )

/** Dates to confirm, conflicting dates, and texts without a date. */
export const SortOutView = () => {
  useTitle('Dates to sort out')
  useListedShortcuts(SORT_OUT_GROUP)
  const { me } = useDeadlineActions()
  const [{ show }, changeAddress] = useSearchParams()
  const { query: filter, change, clear } = useDeadlineFilter()
  const proposals = useDeadlines({ proposed: 'true' })
  const contradictions = useContradictions(true)
  const texts = useUnreadTexts(true)
  const shown = SHOWN.find((one) => one === show) ?? 'all'
  const isMine = filter.responsible === 'me'
  const matches = (one: Contradiction | Deadline | UnreadText): boolean =>
    (filter.kind === undefined || ('values' in one ? getContradictionKind(one) : one.kind) === filter.kind) &&
    (filter.charter === undefined || one.charter?.slug === filter.charter || one.charter?._id === filter.charter) &&
    (!isMine || (me !== null && one.responsible?._id === me))
  const found = {
    'to-confirm': (proposals.data ?? []).filter((one) => one.proposed && matches(one)),
    contradictions: (contradictions.data ?? []).filter(matches),
    texts: (texts.data ?? []).filter(matches),
  }
  const total = found['to-confirm'].length + found.contradictions.length + found.texts.length
  const isFiltered = Object.keys(filter).length > 0 || shown !== 'all'
  const choose = (next: (typeof SHOWN)[number]) => () => changeAddress({ show: next === 'all' || next === shown ? undefined : next })
  const pick = <T,>(part: Exclude<typeof shown, 'all'>, list: readonly T[]): readonly T[] => (shown === 'all' || shown === part ? list : [])
  const parts: PartsProps = {
    proposals: pick('to-confirm', found['to-confirm']),
    contradictions: pick('contradictions', found.contradictions),
    texts: pick('texts', found.texts),
  }
  const waiting = [proposals, contradictions, texts].find(({ data }) => data === undefined)
  const { error, isFetching, refetch } = waiting ?? contradictions
  const noLongerCertain = [...(proposals.data ?? []), ...(texts.data ?? [])].filter(({ formerDate }) => formerDate !== null).length

  return (
    <>
      <BackLink to="/deadlines" label="Deadlines" />
      <h1 tabIndex={-1} className={classes.name}>
        Dates to sort out
      </h1>
      <p className={`${textClasses.dimmed} ${classes.summary}`}>
        {waiting
          ? 'Loading...'
          : `${formatCount(proposals.data?.length ?? 0, ['date', 'dates'])} to confirm, ${formatCount(contradictions.data?.length ?? 0, 'contradiction')}, ${formatCount(texts.data?.length ?? 0, 'text')} without a date.`}
      </p>
      {waiting ? null : <NoLongerCertain count={noLongerCertain} />}
      <search className={`${layoutClasses.block} ${layoutClasses.bottomMargin28}`} data-print="no">
        <Chips label="Filters">
          <FilterToggle label={`All ${total}`} on={shown === 'all'} onToggle={choose('all')} />
          <FilterToggle label={`To confirm ${found['to-confirm'].length}`} on={shown === 'to-confirm'} onToggle={choose('to-confirm')} />
          <FilterToggle
            label={`Contradictions ${found.contradictions.length}`}
            on={shown === 'contradictions'}
            onToggle={choose('contradictions')}
          />
          <FilterToggle label={`No date ${found.texts.length}`} on={shown === 'texts'} onToggle={choose('texts')} />
          {me === null ? null : <FilterToggle label="Mine" on={isMine} onToggle={(on) => change({ responsible: on ? 'me' : undefined })} />}
          <CharterChoice chosen={filter.charter} onChoose={(charter) => change({ charter })} />
          <KindChoice chosen={filter.kind} onChoose={(kind) => change({ kind })} />
        </Chips>
      </search>
      <LoadedList
        query={{ data: waiting ? undefined : true, error, isFetching, refetch: refetch as () => Promise<never> }}
        skeleton={<RowSkeleton />}
      >
        {() =>
          parts.proposals.length + parts.contradictions.length + parts.texts.length === 0 ? (
            <NothingToSortOut
              isFiltered={isFiltered}
              onClear={() => {
                clear()
                changeAddress({ show: undefined })
              }}
            />
          ) : (
            <Parts {...parts} />
          )
        }
      </LoadedList>
    </>
  )
}
