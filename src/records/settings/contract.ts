import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { buildInputShape } from '../../contract/field-definitions.ts'
import { id, recordFields, text } from '../../contract/fields.ts'
import { RegionReference } from '../../contract/references.ts'
import { ProgramType } from '../enrollment/fields.ts'
import { Role } from '../people/contract.ts'
import { FACILITY_TYPES, STATES } from '../sites/fields.ts'
import { SETTINGS_FIELDS } from './fields.ts'

const CharterName = z.strictObject({ _id: id, slug: z.string(), name: z.string() })

/** The default region and charter of a new site: California and no charter unless set otherwise. */
export const SiteDefaults = z.strictObject({ region: RegionReference.nullable(), charter: CharterName.nullable() })
export type SiteDefaults = z.infer<typeof SiteDefaults>

/**
 * The organization's settings. Requests about sites of a region go to its recipients; those of other regions to the recipients without a region.
 * While recipients are not set, those of the configuration apply and are shown.
 */
export const Settings = z.strictObject({
  organisation: text,
  /** As saved; null means that of the server. */
  timeZone: text,
  states: z.array(z.enum(STATES)),
  /** The id of a picture. */
  logo: id.nullable(),
  defaults: SiteDefaults,
  programTypes: z.array(ProgramType),
  changeRequestsTo: z.array(z.strictObject({ region: id.nullable(), emails: z.array(z.string()) })),
  supportRequestsTo: z.array(z.string()),
  ...recordFields,
})
export type Settings = z.infer<typeof Settings>

export const SettingsChange = z.strictObject(buildInputShape(SETTINGS_FIELDS)).partial()
export type SettingsChange = z.infer<typeof SettingsChange>

export const readSettings = call('GET', '/api/settings', {
  capability: 'change the settings',
  summary: 'The organization’s settings.',
  response: Settings,
})

export const saveSettings = call('PUT', '/api/settings', {
  capability: 'change the settings',
  summary: 'Changes the given settings. `null` as a default region is California, as a default charter none.',
  body: SettingsChange,
  response: Settings,
})

export const saveRolesOfType = call('PUT', '/api/settings/facility-types', {
  capability: 'change the settings',
  summary:
    'Which roles sites of a facility type have: `roles` has true or false for each role that changes, by its `_id`. A role that a site does not have is never vacant there. Answers with all roles.',
  body: z.strictObject({ type: z.enum(FACILITY_TYPES), roles: z.record(id, z.boolean()) }),
  response: z.array(Role),
})

export const readSiteDefaults = call('GET', '/api/site-defaults', {
  capability: 'edit a site',
  summary: 'The default region and charter of a new site; no charter until one is set.',
  response: SiteDefaults,
})
