import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { CardHead } from '../../../../platform/web/kit/CardHead.tsx'
import { formatKeptFilter, toPageSearch } from '../kept-filter.ts'
import { useInsights, useKeptInsights } from '../queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from '../Insights.module.css'

const InsightCard = lazy(() => import('../InsightCard.tsx').then((module) => ({ default: module.InsightCard })))

const Pinned = ({ pinned }: { pinned: NonNullable<ReturnType<typeof useKeptInsights>['data']> }) => {
  const { data: insights = [] } = useInsights()
  const cards = pinned.flatMap((one) => {
    const summary = insights.find(({ name }) => name === one.name)
    return summary ? [{ ...one, summary }] : []
  })
  if (cards.length === 0) return null
  return (
    <section className={layoutClasses.sectionEnd} aria-labelledby="pinned-title">
      <CardHead id="pinned-title" title="Insights" all={{ to: '/insights', text: 'All insights' }} />
      <div className={`${layoutClasses.grid} ${layoutClasses.topMargin16} ${classes.cards}`}>
        <Suspense>
          {cards.map(({ _id, filter, summary }) => {
            const words = formatKeptFilter(filter)
            return (
              <InsightCard
                key={_id}
                summary={summary}
                query={filter}
                isCompared
                note={
                  words ? (
                    <p className={textClasses.hint}>
                      <Link
                        to="/insights"
                        search={toPageSearch(filter, summary.name) as never}
                        hash={summary.name}
                        className={textClasses.link}
                      >
                        {words}
                      </Link>
                    </p>
                  ) : null
                }
              />
            )
          })}
        </Suspense>
      </div>
    </section>
  )
}

/** The pinned pictures on the home page; the charts are loaded only if there are some. */
export const PinnedInsights = () => {
  const { data: kept } = useKeptInsights()
  const pinned = kept?.filter(({ place }) => place === 'home') ?? []
  return pinned.length === 0 ? null : <Pinned pinned={pinned} />
}
