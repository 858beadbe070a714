import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'

import { ChoosingList } from '../../src/platform/web/list/ChoosingList.tsx'
import { Filters, SearchField } from '../../src/platform/web/list/Filters.tsx'
import { RecordTable } from '../../src/platform/web/list/RecordTable.tsx'
import { SelectionBar } from '../../src/platform/web/list/SelectionBar.tsx'
import { useListSearch } from '../../src/platform/web/list/use-list-search.ts'
import { useSelection } from '../../src/platform/web/list/use-selection.ts'
import { useTable } from '../../src/platform/web/list/use-table.ts'
import { getSiteKey } from '../../src/records/sites/web/public/SiteCard.tsx'
import { SITE_COLUMNS } from '../../src/records/sites/web/site-columns.tsx'
import { expectAccessible } from './accessibility.ts'
import { render } from './render.tsx'
import { createSites } from './site-list.tsx'

const sites = createSites(60)
const listAll = () => sites

interface TickedListProps {
  rows?: typeof sites
  isAllowed?: boolean
  asCards?: boolean
}

/** A list whose rows can be ticked, as composed by pages: search field, table or selectable cards, bar. */
const TickedList = ({ rows = sites, isAllowed = true, asCards = false }: TickedListProps) => {
  const typed = useListSearch()
  const table = useTable({ name: 'sites', columns: SITE_COLUMNS, defaultView: 'table' }, rows)
  const shown = table.sortedRecords.filter(({ displayName }) => displayName.includes(typed.text))
  const selection = useSelection('sites', shown, getSiteKey, isAllowed)
  return (
    <>
      <h1>Sites</h1>
      <Filters>
        <SearchField label="Search" typed={typed} />
      </Filters>
      {asCards && selection ? (
        <ChoosingList
          title="Select sites"
          shown={shown}
          all={rows.length}
          selection={selection}
          getKey={getSiteKey}
          getLines={({ displayName, address }) => [displayName, address.city]}
        />
      ) : (
        <RecordTable label="Sites" table={table} records={shown} getKey={getSiteKey} listCandidates={listAll} selection={selection} />
      )}
      {selection && selection.records.length > 0 ? (
        <SelectionBar selection={selection}>
          <button type="button">Change…</button>
        </SelectionBar>
      ) : null}
    </>
  )
}

const bar = page.getByRole('region', { name: 'Selected rows' })
const toName = (at: number): string => sites[at]?.displayName ?? ''
const tick = (at: number) => page.getByRole('checkbox', { name: `Select ${toName(at)}` })
const link = (at: number) => page.getByRole('link', { name: toName(at), exact: true })
const expectSelected = async (count: number): Promise<void> => {
  await expect.element(bar.getByRole('status')).toHaveTextContent(`${count} selected`)
}
const expectNoneSelected = async (): Promise<void> => {
  await expect.element(bar).not.toBeInTheDocument()
}

describe('rows of a table are selected', () => {
  test('by mouse: one, with Shift all since the last one, and off again', async () => {
    render(<TickedList />)
    await tick(1).click()
    await expectSelected(1)
    await tick(4).click({ modifiers: ['Shift'] })
    await expectSelected(4)
    for (const at of [1, 2, 3, 4]) await expect.element(tick(at)).toBeChecked()
    await tick(2).click()
    await expectSelected(3)
    await expect.element(tick(2)).not.toBeChecked()
  })

  test('in a table with groups: with Shift all in their order, across the headings', async () => {
    render(<TickedList />, '/?group=city')
    await tick(2).click()
    await tick(6).click({ modifiers: ['Shift'] })
    // akron has eight of 60 sites, Ann Arbor seven: from the first of akron to the first of Ann Arbor.
    await expectSelected(9)
    await expect.element(tick(58)).toBeChecked()
    await expect.element(tick(14)).not.toBeChecked()
  })

  test('with the accessibility of the page intact', async () => {
    render(<TickedList rows={sites.slice(0, 5)} />)
    await tick(1).click()
    await expectSelected(1)
    await expectAccessible()
  })

  test('by keyboard: Space on the row, Escape to clear, Ctrl A for all rows shown', async () => {
    render(<TickedList />)
    await expect.element(link(0)).toBeVisible()
    link(0).element().focus()
    await userEvent.keyboard(' ')
    await expectSelected(1)
    await userEvent.keyboard('{Escape}')
    await expectNoneSelected()
    await userEvent.keyboard('{Control>}a{/Control}')
    await expectSelected(60)
  })

  test('not by Ctrl A in a text field, which selects its text, nor if nothing in the list has the focus', async () => {
    render(<TickedList />)
    await page.getByRole('textbox', { name: 'Search' }).click()
    await userEvent.keyboard('{Control>}a{/Control}')
    await expectNoneSelected()
    document.body.focus()
    await userEvent.keyboard('{Control>}a{/Control}')
    await expectNoneSelected()
  })

  test('all together, from the table header or the bar, which shows how many there are', async () => {
    render(<TickedList />)
    await tick(3).click()
    await bar.getByRole('button', { name: 'Select all 60' }).click()
    await expectSelected(60)
    await expect.element(bar.getByRole('button', { name: 'Select all 60' })).not.toBeInTheDocument()
    await bar.getByRole('button', { name: 'Clear' }).click()
    await expectNoneSelected()
  })

  test('and stay selected in this tab; a row that a filter hides does not count', async () => {
    const list = render(<TickedList />)
    await tick(0).click()
    await tick(1).click()
    list.unmount()
    render(<TickedList />)
    await expectSelected(2)
    await page.getByRole('textbox', { name: 'Search' }).fill('0001')
    await expectSelected(1)
    await page.getByRole('textbox', { name: 'Search' }).fill('')
    await expectSelected(2)
  })

  test('only by people who can edit them', async () => {
    render(<TickedList isAllowed={false} />)
    await expect.element(link(0)).toBeVisible()
    await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
  })
})

test('cards are selected by a click anywhere on them', async () => {
  await page.viewport(390, 844)
  render(<TickedList asCards />)
  await expect.element(page.getByRole('heading', { name: 'Select sites' })).toHaveFocus()
  await page.getByText('Site 0000', { exact: true }).click()
  await expectSelected(1)
  await tick(1).click()
  await expectSelected(2)
  await page.getByText('Site 0000', { exact: true }).click()
  await expectSelected(1)
  await expectAccessible()
})
