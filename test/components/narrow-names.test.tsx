import { expect, test } from 'vitest'
import { page } from 'vitest/browser'

import { PersonSelect } from '../../src/app/coverage/web/PersonSelect.tsx'
import { CardGrid } from '../../src/platform/web/list/CardGrid.tsx'
import type { Person } from '../../src/records/people/contract.ts'
import { PersonCard } from '../../src/records/people/web/PersonCard.tsx'
import { getSiteKey, SiteGrid } from '../../src/records/sites/web/public/SiteCard.tsx'
import { render } from './render.tsx'
import { createSites, SiteList } from './site-list.tsx'

const LONG = 'Abelardo Abernathy-Sommerfeld Villanueva'
const toId = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
const people = Array.from({ length: 40 }, (_, at): Person => {
  const isLong = at % 2 === 0
  return {
    _id: toId(at),
    slug: `person-${at}`,
    name: isLong ? LONG : `Ida ${at}`,
    phone: '2095550142',
    email: `p${at}@network.test`,
    fax: null,
    sql_person_id: null,
    leftAt: null,
    sites: [],
    roles: [{ _id: toId(9000), name: isLong ? 'Administrative Assistant, Student Services' : 'Principal' }],
    locations: [],
    version: 1,
    updatedAt: '2026-01-01T00:00:00.000Z',
    checkedAt: null,
  } as unknown as Person
})
const getKey = ({ _id }: Person) => _id
const renderCard = (person: Person) => <PersonCard person={person} />
const getHeight = (_width: number, rem: number) => 5.5 * rem

const cards = (): HTMLElement[] => [...document.querySelectorAll('article')]
/** The texts that are cut off in their box. */
const listCut = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('article *, button *')]
    .filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element)
      const isHiding = element.clientWidth > 1 && (overflowX !== 'visible' || overflowY !== 'visible')
      return isHiding && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 2)
    })
    .map(({ textContent }) => textContent)
/** The distances between the cards, which are equal unless one lies on another. */
const listDistances = (): number[] => {
  const boxes = cards().map((card) => card.getBoundingClientRect())
  return boxes.slice(1).map(({ top }, at) => Math.round(top - (boxes[at]?.bottom ?? 0)))
}

test('on a phone a name and a position are shown whole, on as many lines as they need', async () => {
  await page.viewport(390, 844)
  render(
    <CardGrid label="Staff" records={people} getKey={getKey} minWidthRem={19} gap={[16, 10]} getHeight={getHeight}>
      {renderCard}
    </CardGrid>,
  )
  await expect.poll(() => cards().length).toBeGreaterThan(3)
  expect(listCut()).toEqual([])
  const [long, short] = cards()
  expect(long?.clientHeight).toBeGreaterThan(short?.clientHeight ?? 0)
  await expect.poll(() => [...new Set(listDistances())]).toEqual([10])
})

test('on a phone the card of a site shows its whole name and principal', async () => {
  await page.viewport(390, 844)
  const sites = createSites(4).map((site) => ({ ...site, displayName: `${LONG} Resource Center of San Bernardino`, name: LONG }))
  expect(sites.map(getSiteKey)).toHaveLength(4)
  render(<SiteGrid label="Sites" sites={sites} />)
  await expect.poll(() => cards().length).toBe(4)
  expect(listCut()).toEqual([])
})

test('the name of the person who gets a site is whole in a narrow column', async () => {
  await page.viewport(820, 900)
  render(
    <div style={{ width: 150 }}>
      <PersonSelect
        label="Principal"
        chosen={{ _id: toId(1), slug: 'person-1', name: LONG }}
        note="12 sites now, 13 after"
        onChoose={() => undefined}
      />
    </div>,
  )
  await expect.element(page.getByText(LONG)).toBeInViewport()
  expect(listCut()).toEqual([])
})

test('the order of a list is a select without the browser’s own look', async () => {
  await page.viewport(1280, 900)
  render(<SiteList sites={createSites(5)} />)
  const select = page.getByRole('combobox', { name: 'Sort' })
  await expect.element(select).toBeInViewport()
  expect(getComputedStyle(select.element()).appearance).toBe('none')
})
