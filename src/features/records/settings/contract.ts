import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, recordFields, text } from '../../../contract/fields.ts'
import { formatMaxMessage } from '../../../contract/messages.ts'
import { RegionReference } from '../../../contract/references.ts'
import { optionalEmails, optionalLine, requiredId, requiredLine } from '../../../contract/text-schemas.ts'
import { ProgramType } from '../enrollment/contract.ts'

const CharterName = z.strictObject({ _id: id, slug: z.string(), name: z.string() })

/** The default region and charter of a new site: California and the first active charter unless set otherwise. */
export const SiteDefaults = z.strictObject({ region: RegionReference.nullable(), charter: CharterName.nullable() })
export type SiteDefaults = z.infer<typeof SiteDefaults>

/**
 * The organization's settings. Requests about sites of a region go to its recipients, of other regions to those without a region. While
 * recipients are not set, those of the configuration are used and shown.
 */
export const Settings = z.strictObject({
  organisation: text,
  defaults: SiteDefaults,
  programTypes: z.array(ProgramType),
  changeRequestsTo: z.array(z.strictObject({ region: id.nullable(), emails: z.array(z.string()) })),
  supportRequestsTo: z.array(z.string()),
  ...recordFields,
})
export type Settings = z.infer<typeof Settings>

export const SettingsChange = z
  .strictObject({
    organisation: optionalLine(100),
    defaultRegion: requiredId().nullable(),
    defaultCharter: requiredId().nullable(),
    /** The whole list: an entry with an `_id` is renamed, one without is added, a missing one is removed if no site uses it. */
    programTypes: z.array(z.strictObject({ _id: id.optional(), name: requiredLine(100) })).max(200, formatMaxMessage(200, 'programs')),
    changeRequestsTo: z.array(z.strictObject({ region: requiredId().nullable(), emails: optionalEmails() })).max(50),
    supportRequestsTo: optionalEmails(),
  })
  .partial()
export type SettingsChange = z.infer<typeof SettingsChange>

export const readSettings = call({
  method: 'GET',
  path: '/api/settings',
  capability: 'change the settings',
  summary: 'The organization’s settings.',
  response: Settings,
})

export const saveSettings = call({
  method: 'PUT',
  path: '/api/settings',
  capability: 'change the settings',
  summary: 'Changes the given settings. `null` as a default goes back to the first choice.',
  body: SettingsChange,
  response: Settings,
})

export const readSiteDefaults = call({
  method: 'GET',
  path: '/api/site-defaults',
  capability: 'edit a site',
  summary: 'The default region and charter of a new site.',
  response: SiteDefaults,
})
