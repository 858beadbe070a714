import { Button, Checkbox, Modal } from '@mantine/core'

import { RowSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { INSIGHT_GROUPS, type InsightSummary, type KeptInsight } from '../contract.ts'
import { formatKeptFilter } from './kept-filter.ts'
import { findKept, useDeleteKeptInsight, useKeepInsight, useKeptInsights } from './queries.ts'
import type { PageFilter } from './use-insight-filter.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'

interface MonthlyEmailDialogProps {
  readonly insights: readonly InsightSummary[]
  readonly filter: PageFilter
  readonly onClose: () => void
}

/** The window in which the pictures of the monthly email are chosen; each change is saved immediately. */
export const MonthlyEmailDialog = ({ insights, filter: { filter }, onClose }: MonthlyEmailDialogProps) => {
  const query = useKeptInsights()
  const keeping = useKeepInsight()
  const removing = useDeleteKeptInsight()
  const isBusy = keeping.isPending || removing.isPending
  const words = formatKeptFilter(filter)
  const toBody = ({ name }: Pick<InsightSummary, 'name'>) => ({ place: 'mail' as const, name, filter })
  const toggle = (insight: InsightSummary, kept: KeptInsight | undefined) => {
    if (kept) removing.mutate(kept)
    else keeping.mutate(toBody(insight))
  }
  return (
    <Modal opened onClose={onClose} title="Monthly email" size={560}>
      <div className={layoutClasses.stack}>
        <p className={textClasses.detail}>
          On the first day of each month you get the chosen pictures by email{words ? `, with the filters of this page: ${words}` : ''}.
          Nothing is sent while none is chosen.
        </p>
        <LoadedList query={query} skeleton={<RowSkeleton />}>
          {(kept) => {
            const others = kept.filter(
              (one) => one.place === 'mail' && !insights.some((insight) => findKept([one], toBody(insight)) !== undefined),
            )
            return (
              <>
                {others.length > 0 ? (
                  <section aria-label="With other filters">
                    <h3 className={layoutClasses.bottomMargin8}>With other filters</h3>
                    <ul>
                      {others.map((one) => {
                        const label = insights.find(({ name }) => name === one.name)?.label ?? one.name
                        const about = `${label}${formatKeptFilter(one.filter) ? `: ${formatKeptFilter(one.filter)}` : ''}`
                        return (
                          <li key={one._id} className={layoutClasses.choiceRow}>
                            <span className={layoutClasses.filling}>{about}</span>
                            <Button
                              variant="default"
                              size="compact-sm"
                              aria-label={`Remove ${about}`}
                              disabled={isBusy}
                              onClick={() => removing.mutate(one)}
                            >
                              Remove
                            </Button>
                          </li>
                        )
                      })}
                    </ul>
                  </section>
                ) : null}
                {INSIGHT_GROUPS.map((group) => {
                  const own = insights.filter((insight) => insight.group === group)
                  return own.length === 0 ? null : (
                    <fieldset key={group} className={layoutClasses.vertical}>
                      <legend className={`${textClasses.strong} ${layoutClasses.bottomMargin8}`}>{group}</legend>
                      {own.map((insight) => {
                        const found = findKept(kept, toBody(insight))
                        return (
                          <Checkbox
                            key={insight.name}
                            py={4}
                            label={insight.label}
                            checked={found !== undefined}
                            disabled={isBusy}
                            onChange={() => toggle(insight, found)}
                          />
                        )
                      })}
                    </fieldset>
                  )
                })}
              </>
            )
          }}
        </LoadedList>
        <div className={layoutClasses.buttons}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    </Modal>
  )
}
