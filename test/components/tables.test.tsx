import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'

import { formatPhone } from '../../src/contract/phones.ts'
import { expectAccessible } from './accessibility.ts'
import { render } from './render.tsx'
import { createSites, SiteList } from './site-list.tsx'

const DEFAULT_COLUMNS = ['Name', 'City', 'Phone', 'Principal', 'Charter', 'Finance no.', 'Status']
const sites = createSites(300)

const tools = page.getByRole('group', { name: 'List tools' })
const field = page.getByRole('textbox', { name: 'Search by name, address or city' })
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

describe('sorting', () => {
  test('is ascending, descending and off with clicks on a header, and is in the URL', async () => {
    const list = render(<SiteList sites={sites} />, '/?show=table')
    await isDrawn()
    const own = textsOf('Name')
    const head = page.getByRole('columnheader', { name: 'City' })
    await expect.element(head).not.toHaveAttribute('aria-sort')
    await head.getByRole('button', { name: 'City', exact: true }).click()
    await expect.element(head).toHaveAttribute('aria-sort', 'ascending')
    expect(list.address()).toBe('/?show=table&sort=city')
    const up = textsOf('City').filter(Boolean)
    expect(up, 'cities from the first').toEqual(inOrder(up))
    await head.getByRole('button', { name: 'City', exact: true }).click()
    await expect.element(head).toHaveAttribute('aria-sort', 'descending')
    const address = list.address()
    expect(address).toBe('/?show=table&sort=-city')
    const down = textsOf('City').filter(Boolean)
    expect(down, 'cities from the last').toEqual(inOrder(down).toReversed())
    expect(down[0]).toBe('Zanesville, CA')

    list.unmount()
    render(<SiteList sites={sites} />, address)
    await expect.element(head).toHaveAttribute('aria-sort', 'descending')
    await head.getByRole('button', { name: 'City', exact: true }).click()
    await expect.element(head).not.toHaveAttribute('aria-sort')
    expect(textsOf('Name')).toEqual(own)
  })
})

describe('display of a list', () => {
  test('cards or table is remembered for each list', async () => {
    const show = async (name: string, look: 'table' | 'cards') => {
      const list = render(<SiteList sites={sites} name={name} />)
      await expect
        .poll(() => all(look === 'table' ? 'table' : 'li[aria-setsize]').length, { message: `${name} is ${look}` })
        .toBeGreaterThan(0)
      return list
    }
    const first = await show('sites', 'cards')
    const links = texts('li[aria-setsize] a[href^="/location/"]')
    await tools.getByText('Table').click()
    await isDrawn()
    expect(textsOf('Name')[0]).toBe(links[0])
    expect(document.querySelector('table')?.getAttribute('aria-rowcount')).toBe(String(sites.length + 1))
    first.unmount()
    const again = await show('sites', 'table')
    again.unmount()
    const other = await show('charters', 'cards')
    other.unmount()
    const third = await show('sites', 'table')
    await tools.getByText('Cards').click()
    await expect.poll(() => all('li[aria-setsize]').length).toBeGreaterThan(0)
    third.unmount()
    await show('sites', 'cards')
  })

  test('columns are chosen, remembered, and reset to the default', async () => {
    const list = render(<SiteList sites={sites} />, '/?show=table')
    await expect.poll(heads).toEqual(DEFAULT_COLUMNS)
    await tools.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Region' }).click()
    await page.getByRole('checkbox', { name: 'Charter' }).click()
    await userEvent.keyboard('{Escape}')
    const chosen = ['Name', 'City', 'Phone', 'Principal', 'Finance no.', 'Status', 'Region']
    await expect.poll(heads).toEqual(chosen)
    list.unmount()
    const again = render(<SiteList sites={sites} />, '/?show=table')
    await expect.poll(heads).toEqual(chosen)
    again.unmount()
    const other = render(<SiteList sites={sites} name="other" />, '/?show=table')
    await expect.poll(heads).toEqual(DEFAULT_COLUMNS)
    other.unmount()
    render(<SiteList sites={sites} />, '/?show=table')
    await tools.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Default Columns' }).click()
    await expect.poll(heads).toEqual(DEFAULT_COLUMNS)
  })

  for (const menu of ['Columns', 'Copy'])
    test(`is accessible with ${menu} open`, async () => {
      render(<SiteList sites={sites} />, '/?show=table')
      await tools.getByRole('button', { name: menu, exact: true }).click()
      await expect.element(page.getByRole('dialog', { name: menu })).toBeVisible()
      await expectAccessible()
      await userEvent.keyboard('{Escape}')
      await expect.element(page.getByRole('dialog', { name: menu })).not.toBeInTheDocument()
    })

  // The position of a row far down is computed from the row height.
  test('rows have one height at 390, 820 and 1440 px', async () => {
    render(<SiteList sites={sites} />, '/?show=table')
    for (const width of [390, 820, 1440]) {
      await page.viewport(width, 900)
      await isDrawn()
      const heights = rows().map((row) => row.getBoundingClientRect().height)
      expect([...new Set(heights)], `every row is 49 pixels high at ${width}`).toEqual([49])
    }
  })
})

/** Opens the menu of a column, and chooses one of its entries. */
const chooseOfColumn = async (column: string, entry: string): Promise<void> => {
  await page.getByRole('button', { name: `Options of column ${column}`, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: entry, exact: true }).click()
}
const filterPanel = page.getByRole('dialog', { name: /^Options of column/ })
const widthOf = (column: string): number => all(`th[aria-label="${column}"]`)[0]?.getBoundingClientRect().width ?? 0
const groups = (): string[] => texts('tbody button[aria-expanded]')

describe('the menu of a column', () => {
  test('sorts, hides the column, and is accessible', async () => {
    const list = render(<SiteList sites={sites} />, '/?show=table')
    await isDrawn()
    await chooseOfColumn('City', 'Sort descending')
    await expect.element(page.getByRole('columnheader', { name: 'City', exact: true })).toHaveAttribute('aria-sort', 'descending')
    expect(list.address()).toBe('/?show=table&sort=-city')
    await page.getByRole('button', { name: 'Options of column Phone', exact: true }).click()
    await expectAccessible()
    await filterPanel.getByRole('button', { name: 'Hide column', exact: true }).click()
    await expect.poll(heads).toEqual(DEFAULT_COLUMNS.filter((one) => one !== 'Phone'))
    await page.getByRole('button', { name: 'Options of column Name', exact: true }).click()
    await expect.element(filterPanel.getByRole('button', { name: 'Hide column', exact: true })).toBeDisabled()
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
    await expect.element(page.getByRole('button', { name: 'Options of column City', exact: true })).toHaveFocus()
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
    await filterPanel.getByRole('button', { name: 'Clear Filter', exact: true }).click()
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

describe('copying', () => {
  /** Selects a menu entry, and returns what was copied to the clipboard. */
  const copy = async (entry: RegExp): Promise<string> => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await tools.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('dialog', { name: 'Copy' }).getByRole('button', { name: entry }).click()
    await expect.poll(() => write.mock.calls.length).toBe(1)
    await expect.element(tools.getByRole('button', { name: /^Copied / })).toBeVisible()
    return write.mock.calls[0]?.[0] ?? ''
  }

  test('copies a table with the columns and the order that are shown', async () => {
    const some = createSites(20)
    render(<SiteList sites={some} />, '/?show=table&sort=-name')
    await isDrawn()
    const names = textsOf('Name')
    const [head, ...lines] = (await copy(/^Copy as a table$/)).split('\n')
    expect(head).toBe(DEFAULT_COLUMNS.join('\t'))
    expect(lines.map((line) => line.split('\t')[0])).toEqual(names)
    expect(names).toEqual(some.map(({ displayName }) => displayName).toReversed())
  })

  test('copies the phone numbers, each once', async () => {
    const some = createSites(9)
    render(<SiteList sites={[...some, ...some.map((site) => ({ ...site, _id: `${site._id}-2` }))]} />)
    const numbers = some.flatMap(({ address: { phone } }) => (phone ? [formatPhone(phone)] : []))
    expect(await copy(/^Copy \d+ phone numbers$/)).toBe(numbers.join('\n'))
  })

  test('shows a message if the browser forbids it', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('forbidden', 'NotAllowedError'))
    render(<SiteList sites={sites} />)
    await tools.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Copy as a table' }).click()
    await expect.element(page.getByRole('alert')).toHaveTextContent('Error: Your browser does not allow copying from this page.')
    await page.getByRole('alert').getByRole('button').click()
    await expect.element(page.getByRole('alert')).toHaveTextContent('')
  })
})

describe('arrow keys', () => {
  test('move from the field through the rows of a table, to its end and back up', async () => {
    const list = render(<SiteList sites={sites} />, '/?show=table')
    await isDrawn()
    expect(rows().length, 'only the rows near the window are drawn').toBeLessThan(100)
    await field.click()
    await userEvent.keyboard('{ArrowDown}')
    await focusIsAt(0)
    await userEvent.keyboard('{ArrowDown}')
    await focusIsAt(1)
    await userEvent.keyboard('{End}')
    await focusIsAt(sites.length - 1)
    await expect.element(page.elementLocator(document.activeElement ?? document.body)).toBeInViewport()
    await userEvent.keyboard('{ArrowDown}')
    await focusIsAt(sites.length - 1)
    await userEvent.keyboard('{Home}')
    await focusIsAt(0)
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(field).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}')
    await focusIsAt(0)
    await userEvent.keyboard('{Enter}')
    await expect.poll(list.address).toBe('/location/site-0')
  })

  test('move through cards by row and column', async () => {
    await page.viewport(1440, 900)
    render(<SiteList sites={sites} />)
    await expect.poll(() => linkAt(11)).not.toBeNull()
    const tops = all('li[data-place]').map((card) => card.getBoundingClientRect().top)
    const columns = tops.filter((top) => top === tops[0]).length
    expect(columns).toBeGreaterThan(2)
    linkAt(0)?.focus()
    await userEvent.keyboard('{ArrowRight}')
    await focusIsAt(1)
    await userEvent.keyboard('{ArrowDown}')
    await focusIsAt(1 + columns)
    await userEvent.keyboard('{ArrowLeft}')
    await focusIsAt(columns)
    await userEvent.keyboard('{ArrowUp}')
    await focusIsAt(0)
  })
})

describe('on a phone', () => {
  test('a table scrolls sideways next to its first column, and the page does not', async () => {
    await page.viewport(390, 844)
    render(<SiteList sites={sites} />, '/?show=table')
    await isDrawn()
    const room = page.getByRole('region', { name: 'Sites' })
    const element = room.element() as HTMLElement
    element.focus()
    await expect.element(room).toHaveFocus()
    element.scrollTo({ left: element.scrollWidth })
    await expect.element(page.getByRole('columnheader', { name: 'Status' })).toBeInViewport()
    await expect.element(page.getByRole('columnheader', { name: 'Name' })).toBeInViewport()
    await expect.element(page.elementLocator(linkAt(0) ?? document.body)).toBeInViewport()
    expect(document.documentElement.scrollWidth).toBe(390)
  })

  test('the focused element is never hidden behind the first column', async () => {
    await page.viewport(390, 844)
    render(<SiteList sites={sites} />, '/?show=table')
    await isDrawn()
    const element = page.getByRole('region', { name: 'Sites' }).element()
    const [row] = rows()
    const cell = (at: number) => row?.children[at]?.querySelector('a')
    element.scrollTo({ left: element.scrollWidth })
    cell(3)?.focus()
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    const phone = cell(2)
    expect(document.activeElement).toBe(phone)
    const name = row?.children[0]?.getBoundingClientRect()
    expect(phone?.getBoundingClientRect().left).toBeGreaterThanOrEqual(name?.right ?? Number.POSITIVE_INFINITY)
  })
})
