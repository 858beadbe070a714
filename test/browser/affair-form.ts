import type { BrowserContext, Page } from '@playwright/test'

import { type CharterAffair, readCharterAffair, saveCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import type { Charter } from '../../src/records/charters/contract.ts'
import { expect } from './fixtures.ts'
import { newCharter, sendCall } from './records.ts'

/** A new charter with an affair that contains these sections. */
export const recorded = async (context: BrowserContext, sections: object = { overview: { corporation: 'Juniper Schools' } }) => {
  const charter = await newCharter(context)
  await sendCall(context, saveCharterAffair, { id: charter._id }, sections)
  return charter
}
/** Its affair as stored on the server. */
export const affairOf = async (context: BrowserContext, charter: Charter): Promise<CharterAffair> => {
  const [affair] = (await sendCall(context, readCharterAffair, { id: charter._id })).charter_affair_info
  if (!affair) throw new Error('No affair')
  return affair
}

/** Its edit form. */
export const open = async (page: Page, charter: Charter): Promise<void> => {
  await page.goto(`/charter_affair/${charter.slug}?edit=1`)
  await expect(submit(page)).toBeVisible()
}
export const submit = (page: Page) => page.getByRole('button', { name: /^Submit Changes/ })
/** A field of the form by its path: `overview.fein`. */
export const input = (page: Page, path: string) => page.locator(`textarea[name="${path}"]`)
export const isReadOnly = (page: Page) => expect(page.getByRole('button', { name: 'Edit Charter Affair' })).toBeVisible()
export const rows = (page: Page, list: 'Authorizer Board Members' | 'Center District') =>
  page.getByRole('list', { name: list }).getByRole('listitem')
