import { createProposal } from '../../src/features/changing/requests/contract.ts'
import type { startApp } from './app.ts'

type App = Awaited<ReturnType<typeof startApp>>

export const PHONE_CHANGE = { 'address.phone': '555-555-0100' }

/** A valid site, and a suggestion for it by someone at level 10. */
export const suggest = async (app: App, changes: Record<string, unknown> = PHONE_CHANGE, more: object = {}) => {
  const sender = app.as(10)
  const site = await app.make.site({ phone: '(209) 555-0142', city: 'Lodi' })
  const { _id } = await sender.send(createProposal, { body: { record: { kind: 'site', _id: site._id }, changes, ...more } })
  return { sender, site, _id, params: { id: _id } }
}
