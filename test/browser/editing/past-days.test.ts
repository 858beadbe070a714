import { removeSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { listSites, updateSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, getToken, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, sendCall } from '../records.ts'

test.use({ level: 5 })

const DAY = '2026-03-02'
const isPrincipal = ({ role_match }: { role_match: { name: string } }): boolean => role_match.name === 'Principal'

test('the principal of last March is found, and the page of that day says what is different today', async ({ page, context }) => {
  const sites = await sendCall(context, listSites)
  const response = await context.request.get(`${listSites.path}?on=${DAY}`, {
    headers: { authorization: `Bearer ${await getToken(context)}` },
  })
  const then = new Map(((await response.json()) as typeof sites).map(({ _id, people }) => [_id, people]))
  const site = findRecord(sites.toReversed(), 'site with the same principal as then', ({ _id, people, address }) => {
    const [principal, ...others] = people.filter(isPrincipal)
    const isSame = then.get(_id)?.some((one) => isPrincipal(one) && one.person._id === principal?.person._id)
    return address.phone !== null && isSame === true && others.length === 0
  })
  const principal = findRecord(site.people, 'principal', isPrincipal)
  await sendCall(context, updateSite, { id: site._id }, { address: { phone: '209-555-0177' } })
  await sendCall(context, removeSiteStaff, { id: site._id }, { person_id: principal.person._id, role_id: principal.role_match._id })

  await visit(page, '/')
  // The shortcuts work once the page is rendered.
  await expect(page.getByRole('banner').getByRole('button', { name: 'Search everything', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(`${principal.person.name} march 2026`)
  const palette = page.getByRole('dialog', { name: 'Search', exact: true })
  await expect(palette.getByText('As of 03/31/2026.')).toBeVisible()
  await expect(palette.getByRole('row', { selected: true })).toContainText(principal.person.name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/staff\/[^?]+\?on=2026-03-31$/)
  await expect(page.getByText('As of March 31, 2026. Nothing can be changed here.')).toBeVisible()

  await visit(page, `/location/${site.slug}?on=${DAY}`)
  await expect(page.getByText('today: 209-555-0177')).toBeVisible()
  const leadership = page.getByRole('list', { name: 'Local leadership', exact: true })
  await expect(leadership.getByRole('listitem').filter({ hasText: principal.person.name }).first()).toContainText('today: none')
  const days = page.getByRole('region', { name: 'Days with changes', exact: true })
  await expect(days).toContainText(/changes between then and today/)
  await expectAccessible(page)

  // Today is the last stop, and the change of today is a stop too, so the next one is one of these.
  await days.getByRole('slider', { name: 'Day shown', exact: true }).press('ArrowRight')
  await expect(page.getByText('As of March 2, 2026.')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto(`/location/${site.slug}?on=${DAY}`)
  await days.getByRole('button', { name: 'Later change', exact: true }).click()
  await expect(page.getByText('As of March 2, 2026.')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
