import { Button } from '@mantine/core'
import { IconChartLine, IconMail } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { EmptyState, EmptyStateActions } from '../../../platform/web/kit/EmptyState.tsx'
import { HeadAction, HeadActions } from '../../../platform/web/kit/HeadAction.tsx'
import { PrintButton } from '../../../platform/web/kit/PrintButton.tsx'
import { PrintLine } from '../../../platform/web/kit/PrintLine.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { useTitle } from '../../../platform/web/title.ts'
import { INSIGHT_GROUPS, type InsightSummary } from '../contract.ts'
import { InsightCard } from './InsightCard.tsx'
import { InsightFilters } from './InsightFilters.tsx'
import { InsightsSkeleton } from './InsightsSkeleton.tsx'
import { MonthlyEmailDialog } from './MonthlyEmailDialog.tsx'
import { useInsights } from './queries.ts'
import { type PageFilter, useInsightFilter } from './use-insight-filter.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Insights.module.css'

/** The number of pictures that load at a time, from the top: the server has other work, too. */
const MAX_LOADING = 4

/** Prints one picture: the others are left out while the browser reads the page. */
const usePrintOne = () => {
  const [only, setOnly] = useState<string>()
  useEffect(() => {
    const show = () => setOnly(undefined)
    addEventListener('afterprint', show)
    return () => removeEventListener('afterprint', show)
  }, [])
  const print = (name: string) =>
    // The menu that was pressed has closed by then.
    void setTimeout(() => {
      flushSync(() => setOnly(name))
      window.print()
    })
  return { only, print }
}

/** Scrolls to the picture that the address names, once it is there. */
const useScrollToNamed = (isLoaded: boolean): void => {
  const isDone = useRef(false)
  useEffect(() => {
    if (!isLoaded || isDone.current) return
    isDone.current = true
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  }, [isLoaded])
}

const Pictures = ({ insights, filter }: { insights: readonly InsightSummary[]; filter: PageFilter }) => {
  const [settled, setSettled] = useState<ReadonlySet<string>>(new Set())
  const { only, print } = usePrintOne()
  const settle = useCallback((name: string) => setSettled((before) => (before.has(name) ? before : new Set([...before, name]))), [])
  const groups = INSIGHT_GROUPS.map((group) => ({ group, own: insights.filter((one) => one.group === group) })).filter(
    ({ own }) => own.length > 0,
  )
  const order = groups.flatMap(({ own }) => own.map(({ name }) => name))
  const enabled = new Set(order.filter((name) => !settled.has(name)).slice(0, MAX_LOADING))
  return groups.map(({ group, own }) => (
    <section
      key={group}
      aria-labelledby={`group-${group}`}
      className={`${layoutClasses.sectionEnd} ${classes.group}`}
      data-print={only === undefined || own.some(({ name }) => name === only) ? undefined : 'no'}
    >
      <h2 id={`group-${group}`} className={layoutClasses.bottomMargin12}>
        {group}
      </h2>
      <div className={`${layoutClasses.grid} ${classes.cards}`} data-alone={only === undefined ? undefined : true}>
        {own.map((summary) => {
          const by = summary.choices.find(({ key }) => key === filter.getChoice(summary.name))?.key
          return (
            <InsightCard
              key={summary.name}
              summary={summary}
              query={{ ...filter.filter, ...(by === undefined ? {} : { by }) }}
              isCompared={filter.isCompared}
              isEnabled={settled.has(summary.name) || enabled.has(summary.name)}
              onSettled={() => settle(summary.name)}
              onChoose={(chosen) => filter.choose(summary.name, chosen)}
              onPrint={() => print(summary.name)}
              isPrinted={only === undefined || only === summary.name}
            />
          )
        })}
      </div>
    </section>
  ))
}

/** `/insights`: what the records and their history say about the network, as pictures that lead to lists. */
export const InsightsPage = () => {
  useTitle('Insights')
  const filter = useInsightFilter()
  const query = useInsights()
  // The link at the end of the monthly email opens the window.
  const [{ email }, change] = useSearchParams()
  const chooseMail = (isOpen: boolean) => change({ email: isOpen ? 'choose' : undefined })
  useScrollToNamed(query.data !== undefined)
  const shown = query.data?.filter(({ group }) => filter.topic === undefined || group === filter.topic)
  const about = `${filter.words}${filter.isCompared ? ', compared with the period before' : ''}`
  return (
    <>
      <div className={layoutClasses.pageHead}>
        <div className={layoutClasses.filling}>
          <h1 tabIndex={-1}>Insights</h1>
          <p className={`${textClasses.dimmed} ${layoutClasses.topMargin4}`}>{about}</p>
        </div>
        <HeadActions>
          <HeadAction icon={IconMail} opensDialog onClick={() => chooseMail(true)}>
            Monthly email
          </HeadAction>
          <PrintButton />
        </HeadActions>
      </div>
      <PrintLine of="Insights" />
      <InsightFilters filter={filter} />
      <div className={layoutClasses.topMargin20}>
        <LoadedList query={query} skeleton={<InsightsSkeleton />}>
          {() =>
            shown === undefined || shown.length === 0 ? (
              <EmptyState icon={IconChartLine} title="No pictures to show">
                <p>There is none for these filters.</p>
                <EmptyStateActions>
                  <Button variant="default" onClick={filter.clear}>
                    Show everything
                  </Button>
                </EmptyStateActions>
              </EmptyState>
            ) : (
              <Pictures insights={shown} filter={filter} />
            )
          }
        </LoadedList>
      </div>
      {email === 'choose' ? <MonthlyEmailDialog insights={query.data ?? []} filter={filter} onClose={() => chooseMail(false)} /> : null}
    </>
  )
}
