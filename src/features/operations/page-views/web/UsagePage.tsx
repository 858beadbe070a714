import { Button } from '@mantine/core'
import { IconChartBarOff } from '@tabler/icons-react'
import { useState } from 'react'

import { useAddress } from '../../../../platform/web/address.ts'
import { Bars } from '../../../../platform/web/kit/Bars.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { Section } from '../../../../platform/web/kit/Section.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { RowBones } from '../../../../platform/web/list/Bones.tsx'
import { Chips, FilterChoice, Filters, FilterToggle } from '../../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import type { Usage } from '../contract.ts'
import { nameOfPage } from '../rules.ts'
import { useUsage } from './queries.ts'
import { ViewsChart } from './ViewsChart.tsx'

import classes from './UsagePage.module.css'

const USUAL_DAYS = 30
const LENGTHS = [7, USUAL_DAYS, 90]
/** Pages listed at first; the others on demand. */
const FIRST = 5

const show = (count: number): string => count.toLocaleString('en-US')
const viewsOf = ({ days }: Usage): number => days.reduce((sum, { views }) => sum + views, 0)

const counted = (usage: Usage): string => {
  const people = Math.max(...usage.days.map(({ visitors }) => visitors))
  return `${show(viewsOf(usage))} page views in ${usage.days.length} days, at most ${show(people)} ${people === 1 ? 'person' : 'people'} per day`
}

type Page = Usage['pages'][number]
/** What a page is called in a choice; two of one name are told apart by their paths. */
const choiceOf = ({ page }: Page, all: readonly Page[]): string => {
  const name = nameOfPage(page)
  return all.filter((other) => nameOfPage(other.page) === name).length > 1 ? `${name} (${page})` : name
}

interface PagesProps {
  usage: Usage
  chosen: string | undefined
  onChoose: (page: string) => void
}

/** The pages by how often they were looked at. */
const Pages = ({ usage: { pages }, chosen, onChoose }: PagesProps) => {
  const [isWhole, setWhole] = useState(false)
  const most = pages[0]?.views ?? 1
  return (
    <>
      <table className={classes.table} aria-label="Pages by views">
        <thead>
          <tr>
            <th scope="col">Page</th>
            <th scope="col" className={classes.share} aria-hidden />
            <th scope="col" className={classes.number}>
              Views
            </th>
            <th scope="col" className={classes.byDay}>
              By day
            </th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? pages : pages.slice(0, FIRST)).map(({ page, views, daily }) => (
            <tr key={page} data-chosen={page === chosen || undefined}>
              <th scope="row">
                <button type="button" className={classes.page} title="Show views by day" onClick={() => onChoose(page)}>
                  {nameOfPage(page)}
                </button>
                <span className={classes.path}>{page}</span>
              </th>
              <td className={classes.share} aria-hidden>
                <span style={{ width: `${Math.max(1, (views / most) * 100)}%` }} />
              </td>
              <td className={classes.number}>{show(views)}</td>
              <td className={classes.byDay}>
                <span className={classes.spark}>
                  <Bars values={daily} label={`${nameOfPage(page)} by day`} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isWhole && pages.length > FIRST ? (
        <Button variant="default" mt={16} onClick={() => setWhole(true)}>
          Show all {pages.length} pages
        </Button>
      ) : null}
    </>
  )
}

/** `/usage`: how often which page is looked at, as a picture and as numbers; who looks is known to nobody. */
export const UsagePage = () => {
  const [{ days: asked, page: askedPage }, change] = useAddress()
  const days = LENGTHS.find((length) => String(length) === asked) ?? USUAL_DAYS
  const query = useUsage(days)
  const pages = query.data?.pages ?? []
  const chosen = pages.find(({ page }) => page === askedPage)
  const name = chosen ? nameOfPage(chosen.page) : 'All pages'
  return (
    <div className={classes.usage}>
      <ListHead title="Usage" summary={query.data && counted(query.data)} failed={query.isError} />
      <Filters>
        <Chips label="Filters">
          {LENGTHS.map((length) => (
            <FilterToggle
              key={length}
              label={`${length} days`}
              on={length === days}
              onToggle={() => change({ days: length === USUAL_DAYS ? undefined : String(length) })}
            />
          ))}
          <FilterChoice
            label="Page"
            all="All pages"
            choices={pages.map((one) => choiceOf(one, pages))}
            chosen={chosen && choiceOf(chosen, pages)}
            onChoose={(choice) => change({ page: pages.find((one) => choiceOf(one, pages) === choice)?.page })}
            remove="Show all pages"
          />
        </Chips>
      </Filters>
      <div className={classes.room}>
        <LoadedList query={query} skeleton={<RowBones />}>
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
                  <Pages usage={usage} chosen={chosen?.page} onChoose={(page) => change({ page })} />
                </Section>
              </>
            )
          }
        </LoadedList>
      </div>
      <p className={classes.also}>
        See also <TextLink to="/searches">searches without results</TextLink>, <TextLink to="/downloads">download history</TextLink> and the{' '}
        <TextLink to="/errors">error log</TextLink>.
      </p>
    </div>
  )
}
