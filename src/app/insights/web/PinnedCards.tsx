import { Link } from '@tanstack/react-router'

import { CardHead } from '../../../platform/web/kit/CardHead.tsx'
import type { KeptInsight } from '../contract.ts'
import { InsightCard } from './InsightCard.tsx'
import { formatKeptFilter, toPageSearch } from './kept-filter.ts'
import { useInsights } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Insights.module.css'

/** The section of the pinned pictures. */
export const PinnedCards = ({ pinned }: { pinned: readonly KeptInsight[] }) => {
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
      </div>
    </section>
  )
}
