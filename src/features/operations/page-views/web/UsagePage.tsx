import { Button } from '@mantine/core'
import { IconChartBarOff } from '@tabler/icons-react'
import { useState } from 'react'

import { formatNumber } from '../../../../contract/format.ts'
import { BarChart } from '../../../../platform/web/kit/BarChart.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { Section } from '../../../../platform/web/kit/Section.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { Chips, FilterChoice, Filters, FilterToggle } from '../../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { Usage } from '../contract.ts'
import { getPageName } from '../rules.ts'
import { useUsage } from './queries.ts'
import { ViewsChart } from './ViewsChart.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import log from '../../../../platform/web/list/LogTable.module.css'
import classes from './UsagePage.module.css'

const DEFAULT_DAYS = 30
const PERIODS = [7, DEFAULT_DAYS, 90]
const INITIAL_PAGES = 5

const countViews = ({ days }: Usage): number => days.reduce((sum, { views }) => sum + views, 0)

const formatSummary = (usage: Usage): string => {
  const people = Math.max(...usage.days.map(({ visitors }) => visitors))
  return `${formatNumber(countViews(usage))} page views in ${usage.days.length} days, at most ${formatNumber(people)} ${people === 1 ? 'person' : 'people'} per day`
}

type Page = Usage['pages'][number]
/** The label of a page in the filter; pages of the same name are distinguished by their paths. */
const toChoice = ({ page }: Page, all: readonly Page[]): string => {
  const name = getPageName(page)
  return all.filter((other) => getPageName(other.page) === name).length > 1 ? `${name} (${page})` : name
}

interface PageTableProps {
  usage: Usage
  chosen: string | undefined
  onChoose: (page: string) => void
}

const PageTable = ({ usage: { pages }, chosen, onChoose }: PageTableProps) => {
  const [isWhole, setWhole] = useState(false)
  const most = pages[0]?.views ?? 1
  return (
    <>
      <table className={`${textClasses.small} ${layoutClasses.fullWidth} ${log.table} ${classes.table}`} aria-label="Pages by views">
        <thead>
          <tr>
            <th scope="col">Page</th>
            <th scope="col" className={classes.share} aria-hidden />
            <th scope="col" className={log.number}>
              Views
            </th>
            <th scope="col" className={classes.byDay}>
              By day
            </th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? pages : pages.slice(0, INITIAL_PAGES)).map(({ page, views, daily }) => (
            <tr key={page} data-chosen={page === chosen || undefined}>
              <th scope="row">
                <TextButton isName title="Show views by day" onClick={() => onChoose(page)}>
                  {getPageName(page)}
                </TextButton>
                <span className={`${textClasses.caption} ${layoutClasses.block}`}>{page}</span>
              </th>
              <td className={classes.share} aria-hidden>
                <span style={{ width: `${Math.max(1, (views / most) * 100)}%` }} />
              </td>
              <td className={log.number}>{formatNumber(views)}</td>
              <td className={classes.byDay}>
                <span className={`${layoutClasses.block} ${classes.chart}`}>
                  <BarChart values={daily} label={`${getPageName(page)} by day`} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isWhole && pages.length > INITIAL_PAGES ? (
        <Button variant="default" mt={16} onClick={() => setWhole(true)}>
          Show all {pages.length} pages
        </Button>
      ) : null}
    </>
  )
}

/** `/usage`: views per page and day. Who viewed them is not known. */
export const UsagePage = () => {
  const [{ days: requestedDays, page: requestedPage }, change] = useSearchParams()
  const days = PERIODS.find((length) => String(length) === requestedDays) ?? DEFAULT_DAYS
  const query = useUsage(days)
  const pages = query.data?.pages ?? []
  const chosen = pages.find(({ page }) => page === requestedPage)
  const name = chosen ? getPageName(chosen.page) : 'All pages'
  return (
    <div className={layoutClasses.narrowPage}>
      <ListHead title="Usage" summary={query.data && formatSummary(query.data)} failed={query.isError} />
      <Filters>
        <Chips label="Filters">
          {PERIODS.map((length) => (
            <FilterToggle
              key={length}
              label={`${length} days`}
              on={length === days}
              onToggle={() => change({ days: length === DEFAULT_DAYS ? undefined : String(length) })}
            />
          ))}
          <FilterChoice
            label="Page"
            all="All pages"
            choices={pages.map((one) => toChoice(one, pages))}
            chosen={chosen && toChoice(chosen, pages)}
            onChoose={(choice) => change({ page: pages.find((one) => toChoice(one, pages) === choice)?.page })}
            remove="Show all pages"
          />
        </Chips>
      </Filters>
      <div className={layoutClasses.topMargin24}>
        <LoadedList query={query} skeleton={<RowSkeleton />}>
          {(usage) =>
            usage.pages.length === 0 ? (
              <EmptyState icon={IconChartBarOff} title="No page views to display">
                <p>There were no page views in the last {days} days.</p>
              </EmptyState>
            ) : (
              <>
                <Section title={`Views per day: ${name}`}>
                  <ViewsChart
                    days={usage.days}
                    views={chosen?.daily ?? usage.days.map(({ views }) => views)}
                    name={name}
                    hasPeople={chosen === undefined}
                  />
                </Section>
                <Section title="Most viewed pages">
                  <PageTable usage={usage} chosen={chosen?.page} onChoose={(page) => change({ page })} />
                </Section>
              </>
            )
          }
        </LoadedList>
      </div>
      <p className={`${textClasses.note} ${classes.seeAlso}`}>
        See also <TextLink to="/searches">searches without results</TextLink>, <TextLink to="/downloads">download history</TextLink> and the{' '}
        <TextLink to="/errors">error log</TextLink>.
      </p>
    </div>
  )
}
