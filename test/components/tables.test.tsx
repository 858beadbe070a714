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
