import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'

import { expectAccessible } from './accessibility.ts'
import { render } from './render.tsx'
import { createSites, SiteList } from './site-list.tsx'

const sites = createSites(300)

const tools = page.getByRole('group', { name: 'List tools' })
const all = <E extends Element = HTMLElement>(selector: string): E[] => [...document.querySelectorAll<E>(selector)]
const texts = (selector: string): string[] => all(selector).map((element) => element.textContent)
const heads = (): string[] => texts('thead th')
const rows = (): HTMLElement[] => all('tbody tr[aria-rowindex]')
/** The texts of a column, in the rendered rows. */
const textsOf = (column: string): string[] => texts(`tbody tr[aria-rowindex] > :nth-child(${heads().indexOf(column) + 1})`)
const inOrder = (some: readonly string[]): string[] =>
  some.toSorted(new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare)
/** The link of the record at an index, if it is rendered. */
const linkAt = (place: number): HTMLElement | null => document.querySelector(`[data-place="${place}"] a`)
const focusIsAt = async (place: number): Promise<void> => {
  await expect
    .poll(() => document.activeElement, { message: `the focus is on record ${place}` })
    .toBe(linkAt(place) ?? `no record ${place}`)
}
const isDrawn = async (): Promise<void> => {
  await expect.poll(() => rows().length, { message: 'rows are drawn' }).toBeGreaterThan(3)
}

/** Opens the menu of a column, and chooses one of its entries. */
const chooseOfColumn = async (column: string, entry: string): Promise<void> => {
  await page.getByRole('button', { name: `${column} column options`, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: entry, exact: true }).click()
}
const filterPanel = page.getByRole('dialog', { name: /column options$/ })
const widthOf = (column: string): number => all(`th[aria-label="${column}"]`)[0]?.getBoundingClientRect().width ?? 0
const groups = (): string[] => texts('tbody button[aria-expanded]')

describe('the menu of a column', () => {
  test('sorts, hides the column, and is accessible', async () => {
    const list = render(<SiteList sites={sites} />, '/?show=table')
    await isDrawn()
    await chooseOfColumn('City', 'Sort descending')
    await expect.element(page.getByRole('columnheader', { name: 'City', exact: true })).toHaveAttribute('aria-sort', 'descending')
    expect(list.address()).toBe('/?show=table&sort=-city')
    await page.getByRole('button', { name: 'Phone column options', exact: true }).click()
    await expectAccessible()
    await filterPanel.getByRole('button', { name: 'Hide column', exact: true }).click()
    await expect.poll(heads).toEqual(['Name', 'City', 'Principal', 'Charter', 'Finance no.', 'Status'])
    await page.getByRole('button', { name: 'Name column options', exact: true }).click()
    await expect.element(filterPanel.getByRole('button', { name: 'Sort ascending', exact: true })).toBeVisible()
    await expect.element(filterPanel.getByRole('button', { name: 'Hide column', exact: true })).not.toBeInTheDocument()
  })
})

describe('filtering by a column', () => {
  test('lists its values with their numbers; ticked ones are shown, named in a chip and in the URL', async () => {
    const list = render(<SiteList sites={sites} />, '/?show=table')
    await isDrawn()
    await chooseOfColumn('City', 'Filter…')
    await expect.element(filterPanel.getByRole('textbox', { name: 'City contains' })).toHaveFocus()
    await filterPanel.getByRole('checkbox', { name: 'Lodi, CA 38', exact: true }).click()
    await expect.poll(() => new Set(textsOf('City'))).toEqual(new Set(['Lodi, CA']))
    await filterPanel.getByRole('checkbox', { name: 'akron, CA 38', exact: true }).click()
    await expect.poll(list.address).toBe('/?show=table&where=city:Lodi,+CA%7Cakron,+CA')
    await expectAccessible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('button', { name: 'City column options', exact: true })).toHaveFocus()
    const chip = page.getByRole('button', { name: 'City: Lodi, CA or akron, CA', exact: true })
    await expect.element(chip).toHaveAttribute('aria-pressed', 'true')

    // The other filters count only what this one shows.
    await chooseOfColumn('Status', 'Filter…')
    await expect.element(filterPanel.getByRole('checkbox', { name: 'Not empty 76', exact: true })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await chip.click()
    await expect.poll(list.address).toBe('/?show=table')
  })

  test('finds a text; a text that no value contains leaves the table as it is', async () => {
    const list = render(<SiteList sites={sites} />, '/?show=table')
    await isDrawn()
    await chooseOfColumn('Principal', 'Filter…')
    const typed = filterPanel.getByRole('textbox', { name: 'Principal contains' })
    await typed.fill('person 12')
    await expect.poll(list.address).toBe('/?show=table&where=principal%7Eperson+12')
    await expect.poll(() => rows().length).toBe(8)
    await typed.fill('nobody')
    await expect.element(filterPanel.getByText('No value contains this text.')).toBeVisible()
    await expect.poll(list.address).toBe('/?show=table')
    await filterPanel.getByRole('checkbox', { name: 'Empty 100', exact: true }).click()
    await expect.element(page.getByRole('button', { name: 'Principal: Empty', exact: true })).toBeVisible()
    await expect.poll(() => new Set(textsOf('Principal'))).toEqual(new Set(['Vacant']))
    await filterPanel.getByRole('checkbox', { name: 'Not empty 200', exact: true }).click()
    await expect.poll(() => textsOf('Principal').includes('Vacant')).toBe(false)
    await filterPanel.getByRole('checkbox', { name: 'Not empty 200', exact: true }).click()
    await expect.poll(list.address).toBe('/?show=table')
  })

  test('of an address applies to cards too', async () => {
    render(<SiteList sites={sites} />, '/?where=city:Galt,+CA;phone!')
    await expect.poll(() => all('li[aria-setsize]')[0]?.getAttribute('aria-setsize')).toBe('25')
    await expect.element(page.getByRole('button', { name: 'Phone: Not empty', exact: true })).toBeVisible()
  })
})

describe('grouping by a column', () => {
  test('has headings with numbers, which collapse; arrow keys move between the shown rows', async () => {
    const list = render(<SiteList sites={createSites(16)} />, '/?show=table')
    await isDrawn()
    await chooseOfColumn('City', 'Group by this column')
    await expect.poll(list.address).toBe('/?show=table&group=city')
    await expect
      .poll(groups)
      .toEqual(inOrder(['Lodi', 'Fresno', 'akron', 'Dayton', 'Galt', 'Zanesville', 'Ann Arbor', 'Madera']).map((city) => `${city}, CA 2`))
    expect(document.querySelector('table')?.getAttribute('aria-rowcount')).toBe('25')
    await page.getByRole('button', { name: 'Ann Arbor, CA 2', exact: true }).click()
    await expect.poll(() => rows().length).toBe(8 + 14)
    await expect.element(page.getByRole('button', { name: 'Ann Arbor, CA 2', exact: true })).toHaveAttribute('aria-expanded', 'false')
    linkAt(1)?.focus()
    await userEvent.keyboard('{ArrowDown}')
    await focusIsAt(4)
    await userEvent.keyboard('{ArrowUp}')
    await focusIsAt(1)
    await expectAccessible()
    await page.getByRole('button', { name: 'Grouped by City', exact: true }).click()
    await expect.poll(groups).toEqual([])
  })

  test('of many rows keeps the heading of the first visible row in sight', async () => {
    render(<SiteList sites={sites} />, '/?show=table&group=city')
    await isDrawn()
    linkAt(0)?.focus()
    await userEvent.keyboard('{End}')
    await focusIsAt(sites.length - 1)
    const heading = page.getByRole('button', { name: 'Zanesville, CA 37', exact: true })
    await expect.element(heading).toBeInViewport()
    expect(rows().length, 'only the rows near the window are drawn').toBeLessThan(100)
  })
})

describe('the width of a column', () => {
  test('is changed with the keyboard, fits its content, and is remembered for each list', async () => {
    const list = render(<SiteList sites={sites} />, '/?show=table')
    await isDrawn()
    const before = widthOf('City')
    const name = widthOf('Name')
    const handle = page.getByRole('separator', { name: 'Width of City', exact: true })
    ;(handle.element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    await expect.poll(() => widthOf('City')).toBeCloseTo(before + 32, 0)
    expect(widthOf('Name'), 'the first column keeps its width').toBeCloseTo(name, 0)
    await expectAccessible()
    list.unmount()
    const again = render(<SiteList sites={sites} />, '/?show=table')
    await expect.poll(() => widthOf('City')).toBeCloseTo(before + 32, 0)
    await handle.dblClick()
    await expect.poll(() => widthOf('City')).toBeLessThan(before)
    const cut = all(`tbody tr[aria-rowindex] > :nth-child(${heads().indexOf('City') + 1})`).filter(
      (cell) => cell.scrollWidth > cell.clientWidth,
    )
    expect(cut, 'no city is cut off').toEqual([])
    again.unmount()
    render(<SiteList sites={sites} name="other" />, '/?show=table')
    await expect.poll(() => widthOf('City')).toBeCloseTo(before, 0)
  })

  test('follows the pointer and stays within its limits; Default Columns resets it', async () => {
    render(<SiteList sites={sites} />, '/?show=table')
    await isDrawn()
    const before = widthOf('Phone')
    const handle = page.getByRole('separator', { name: 'Width of Phone', exact: true })
    await userEvent.dragAndDrop(handle, page.getByRole('separator', { name: 'Width of Principal', exact: true }))
    await expect.poll(() => widthOf('Phone')).toBeGreaterThan(before + 100)
    await userEvent.dragAndDrop(handle, page.getByRole('columnheader', { name: 'Name', exact: true }))
    await expect.poll(() => widthOf('Phone')).toBe(64)
    await tools.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Default Columns' }).click()
    await expect.poll(() => widthOf('Phone')).toBe(before)
  })
})
