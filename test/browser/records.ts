import { randomBytes } from 'node:crypto'

import type { BrowserContext, Page } from '@playwright/test'

import { listCharters } from '../../src/features/charters/contract.ts'
import { listRegions } from '../../src/features/regions/contract.ts'
import { createSite } from '../../src/features/sites/contract.ts'
import type { NewSite, Site } from '../../src/features/sites/contract.ts'
import type { AnswerOf, Call } from '../../src/platform/contract/call.ts'
import { expect } from './fixtures.ts'

/** What the server answers to whoever is signed in here: what a page must show is read from it, not written down twice. */
export const ask = async <C extends Call>(context: BrowserContext, call: C, params: Record<string, string> = {}): Promise<AnswerOf<C>> => {
  const { origins } = await context.storageState()
  const token = origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'token')?.value
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const response = await context.request.get(path, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status(), path).toBe(200)
  return (await response.json()) as AnswerOf<C>
}

type Sent = { params?: Record<string, string>; body?: unknown; version?: number }

/** Sends a call for whoever is signed in here, and gives its status and answer. */
export const tell = async (context: BrowserContext, call: Call, { params = {}, body, version }: Sent = {}) => {
  const { origins } = await context.storageState()
  const token = origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'token')?.value
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const response = await context.request.fetch(path, {
    method: call.method,
    headers: { authorization: `Bearer ${token}`, ...(version === undefined ? {} : { 'if-match': `"${version}"` }) },
    ...(body === undefined ? {} : { data: body }),
  })
  return { status: response.status(), answer: response.status() === 204 ? null : ((await response.json()) as unknown) }
}

/** A site of a test's own. */
export const newSite = async (context: BrowserContext, given: Partial<NewSite> = {}): Promise<Site> => {
  const [charter] = await ask(context, listCharters)
  const regions = await ask(context, listRegions)
  const body = {
    name: 'Quartz Hill RC',
    displayName: `Quartz Hill ${randomBytes(4).toString('hex')}`,
    charter: charter?._id,
    region: such(regions, 'California', ({ name }) => name === 'California')._id,
    address: { address_1: '12 Avenue L', city: 'Lancaster', zip: '93536', phone: '661-555-0140' },
    enrollment_info: { registrationEmail: ['enroll@quartz.example'], interestEmail: ['info@quartz.example'] },
    ...given,
  }
  const { status, answer } = await tell(context, createSite, { body })
  expect(status).toBe(200)
  return answer as Site
}

/** The first record that is as a test needs it; the sample network has to have one. */
export const such = <T>(records: readonly T[], what: string, is: (record: T) => boolean): T => {
  const found = records.find(is)
  if (found === undefined) throw new Error(`The sample network has no ${what}`)
  return found
}

/** Labels and texts of a page's facts, as they are read: what is only drawn is left out, runs of blanks are one. */
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
