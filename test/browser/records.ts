import { randomBytes, randomInt } from 'node:crypto'

import type { BrowserContext, Page } from '@playwright/test'

import type { ResponseOf, BodyOf, Call } from '../../src/contract/call.ts'
import { createCharter, listCharters } from '../../src/records/charters/contract.ts'
import type { Charter, NewCharter } from '../../src/records/charters/contract.ts'
import { listRegions } from '../../src/records/regions/contract.ts'
import { createSite } from '../../src/records/sites/contract.ts'
import type { NewSite, Site } from '../../src/records/sites/contract.ts'
import { expect, getToken } from './fixtures.ts'

/** Sends a call as the signed-in user, without the page. Expected contents of a page are read this way instead of being repeated in tests. */
export const sendCall = async <C extends Call>(
  context: BrowserContext,
  call: C,
  params: Record<string, string> = {},
  body?: BodyOf<C>,
): Promise<ResponseOf<C>> => {
  const token = await getToken(context)
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const response = await context.request.fetch(path, {
    method: call.method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { data: body }),
  })
  expect(response.ok(), `${path}: ${response.status()}`).toBe(true)
  return (response.status() === 204 ? undefined : await response.json()) as ResponseOf<C>
}

/** A new site for a test. */
export const newSite = async (context: BrowserContext, given: Partial<NewSite> = {}): Promise<Site> => {
  const [charter] = await sendCall(context, listCharters)
  const regions = await sendCall(context, listRegions)
  const body = {
    name: 'Quartz Hill RC',
    displayName: `Quartz Hill ${randomBytes(4).toString('hex')}`,
    charter: charter?._id,
    region: findRecord(regions, 'California', ({ name }) => name === 'California')._id,
    address: { address_1: '12 Avenue L', city: 'Lancaster', zip: '93536', phone: '661-555-0140' },
    enrollment_info: { registrationEmail: ['enroll@quartz.example'], interestEmail: ['info@quartz.example'] },
    ...given,
  }
  return sendCall(context, createSite, {}, body as NewSite)
}

/** A unique name without digits, which charter names do not allow. */
export const letters = (): string => Array.from({ length: 12 }, () => String.fromCharCode(97 + randomInt(26))).join('')

/** A new charter for a test, without a charter affair. */
export const newCharter = async (context: BrowserContext): Promise<Charter> => {
  const { brand } = findRecord(await sendCall(context, listCharters), 'charter', () => true)
  const body = { name: `Juniper ${letters()}`, slug: letters(), abbreviation: 'JP', brand, charterWebsite: 'https://juniper.example' }
  return sendCall(context, createCharter, {}, body as NewCharter)
}

/** The first record that meets a test's requirements; the sample network must contain one. */
export const findRecord = <T>(records: readonly T[], what: string, is: (record: T) => boolean): T => {
  const found = records.find(is)
  if (found === undefined) throw new Error(`The sample network has no ${what}`)
  return found
}

/** Labels and texts of a page's facts as read by screen readers, with whitespace collapsed. */
export const factsIn = (page: Page, within: string): Promise<(readonly [label: string, text: string])[]> =>
  page.locator(`${within} dl > div`).evaluateAll((facts) =>
    facts.map((fact) => {
      const textOf = (part: Element | null): string => {
        const copy = part?.cloneNode(true) as Element | undefined
        for (const drawn of copy?.querySelectorAll('[aria-hidden=true], button, [role=status]') ?? []) drawn.remove()
        return (copy?.textContent ?? '').replace(/\s+/g, ' ').trim()
      }
      return [textOf(fact.querySelector('dt')), textOf(fact.querySelector('dd'))] as const
    }),
  )
