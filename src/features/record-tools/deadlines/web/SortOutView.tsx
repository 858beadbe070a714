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
import { useTitle } from '../../../../platform/web/title.ts'
import type { Contradiction, UnreadText } from '../contract.ts'
import { ContradictionRow } from './ContradictionRow.tsx'
import { getContradictionKey, getContradictionKind } from './contradictions.ts'
import { useDeadlineActions } from './deadline-actions.ts'
import { CharterChoice, KindChoice } from './DeadlineFilters.tsx'
import { useContradictions, useUnreadTexts } from './queries.ts'
import { UnreadTextRow } from './UnreadTextRow.tsx'
import { useDeadlineFilter } from './use-deadline-filter.ts'

import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SortOutView.module.css'

interface PartsProps {
  readonly contradictions: readonly Contradiction[]
  readonly texts: readonly UnreadText[]
}

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

const Parts = ({ contradictions, texts }: PartsProps) => {
  const { list, prepareFocus } = useNextFocus()
  const { mayManage } = useDeadlineActions()
  return (
    <div ref={list}>
      {contradictions.length > 0 ? (
        <section className={classes.section} aria-labelledby="contradictions">
          <h2 id="contradictions" className={classes.title}>
            Contradictions <span className={textClasses.count}>{contradictions.length.toLocaleString('en-US')}</span>
          </h2>
          <p className={classes.about}>Choose the correct date. The other text is updated to match, and both stay in the history.</p>
          <ul className={classes.list}>
            {contradictions.map((contradiction) => (
              <ContradictionRow
                key={getContradictionKey(contradiction)}
                contradiction={contradiction}
                mayChange={mayManage}
                prepareFocus={prepareFocus}
              />
            ))}
          </ul>
        </section>
      ) : null}
      {texts.length > 0 ? (
        <section className={classes.section} aria-labelledby="texts">
          <h2 id="texts" className={classes.title}>
            Texts without a date <span className={textClasses.count}>{texts.length.toLocaleString('en-US')}</span>
          </h2>
          <p className={classes.about}>Not in any calendar until a date is set. The text does not change; the date is stored with it.</p>
          <div className={`${textClasses.label} ${classes.heads}`} aria-hidden>
            <span>Field</span>
            <span>Text</span>
            <span>Why</span>
            <span>Date</span>
          </div>
          <ul className={classes.list}>
            {texts.map((text) => (
              <UnreadTextRow key={text._id} text={text} mayChange={mayManage} prepareFocus={prepareFocus} />
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}

const NothingToSortOut = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) => (
  <EmptyState icon={IconCheck} title={isFiltered ? 'Nothing to sort out here' : 'Every text has a date'}>
    <p>{isFiltered ? 'No text or contradiction is as the filters ask.' : 'No date contradicts another one.'}</p>
    {isFiltered ? (
      <EmptyStateActions>
        <Button variant="default" onClick={onClear}>
          Show all
        </Button>
      </EmptyStateActions>
    ) : null}
  </EmptyState>
)

const SHOWN = ['all', 'contradictions', 'texts'] as const

/** Conflicting dates, and texts without a date. */
export const SortOutView = () => {
  useTitle('Dates to sort out')
  const { me } = useDeadlineActions()
  const [{ show }, changeAddress] = useSearchParams()
  const { query: filter, change, clear } = useDeadlineFilter()
  const contradictions = useContradictions(true)
  const texts = useUnreadTexts(true)
  const shown = SHOWN.find((one) => one === show) ?? 'all'
  const isMine = filter.responsible === 'me'
  const matches = (one: Contradiction | UnreadText): boolean =>
    (filter.kind === undefined || ('values' in one ? getContradictionKind(one) : one.kind) === filter.kind) &&
    (filter.charter === undefined || one.charter?.slug === filter.charter || one.charter?._id === filter.charter) &&
    (!isMine || (me !== null && one.responsible?._id === me))
  const found = { contradictions: (contradictions.data ?? []).filter(matches), texts: (texts.data ?? []).filter(matches) }
  const counts = { contradictions: found.contradictions.length, texts: found.texts.length }
  const isFiltered = Object.keys(filter).length > 0 || shown !== 'all'
  const choose = (next: (typeof SHOWN)[number]) => () => changeAddress({ show: next === 'all' || next === shown ? undefined : next })
  const waiting = [contradictions, texts].find(({ data }) => data === undefined)
  const { error, isFetching, refetch } = waiting ?? contradictions

  return (
    <>
      <BackLink to="/deadlines" label="Deadlines" />
      <h1 tabIndex={-1} className={classes.name}>
        Dates to sort out
      </h1>
      <p className={classes.summary}>
        {waiting
          ? 'Loading...'
          : `${formatCount(contradictions.data?.length ?? 0, 'contradiction')}, ${formatCount(texts.data?.length ?? 0, 'text')} without a date.`}
      </p>
      <search className={classes.filters} data-print="no">
        <Chips label="Filters">
          <FilterToggle label={`All ${counts.contradictions + counts.texts}`} on={shown === 'all'} onToggle={choose('all')} />
          <FilterToggle
            label={`Contradictions ${counts.contradictions}`}
            on={shown === 'contradictions'}
            onToggle={choose('contradictions')}
          />
          <FilterToggle label={`No date ${counts.texts}`} on={shown === 'texts'} onToggle={choose('texts')} />
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
          (shown === 'texts' ? 0 : counts.contradictions) + (shown === 'contradictions' ? 0 : counts.texts) === 0 ? (
            <NothingToSortOut
              isFiltered={isFiltered}
              onClear={() => {
                clear()
                changeAddress({ show: undefined })
              }}
            />
          ) : (
            <Parts contradictions={shown === 'texts' ? [] : found.contradictions} texts={shown === 'contradictions' ? [] : found.texts} />
          )
        }
      </LoadedList>
    </>
  )
}
