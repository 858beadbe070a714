import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, recordFields } from '../../../contract/fields.ts'
import { RegionReference } from '../../../contract/references.ts'
import { optionalId } from '../../../contract/text-schemas.ts'
import { KIND_NAMES } from './fields.ts'
import { MAX_LEAD_DAYS } from './rules.ts'

const MAX_LEAD_TIMES = 8

const LEAD_DAYS_MESSAGE = `Enter a number of days from 0 to ${MAX_LEAD_DAYS}`
const leadDay = z.int(LEAD_DAYS_MESSAGE).min(0, LEAD_DAYS_MESSAGE).max(MAX_LEAD_DAYS, LEAD_DAYS_MESSAGE)

/** Days before a deadline, the longest first, each once. */
export const LeadDays = z
  .array(leadDay)
  .max(MAX_LEAD_TIMES, `At most ${MAX_LEAD_TIMES} lead times`)
  .check(({ value, issues }) => {
    for (const [at, days] of value.entries()) {
      const before = value[at - 1]
      if (before === undefined || days < before) continue
      const message = value.indexOf(days) < at ? 'This lead time is listed twice' : 'Enter the longest lead time first'
      issues.push({ code: 'custom', input: value, path: [at], message })
    }
  })

const Named = z.strictObject({ _id: id, name: z.string() })

const KindSettings = z.strictObject({
  kind: z.enum(KIND_NAMES),
  leadDays: z.array(z.int()),
  /** For regions without a responsible person of their own. */
  responsible: Named.nullable(),
  regions: z.array(z.strictObject({ region: RegionReference, responsible: Named })),
})
export type KindSettings = z.infer<typeof KindSettings>

/** Who is responsible for deadlines that name nobody, and when they are reminded. People who left are not shown. */
export const DeadlineSettings = z.strictObject({ kinds: z.array(KindSettings), ...recordFields })
export type DeadlineSettings = z.infer<typeof DeadlineSettings>

export const DeadlineSettingsChange = z.strictObject({
  kinds: z
    .array(
      z.strictObject({
        kind: z.enum(KIND_NAMES),
        leadDays: LeadDays,
        responsible: optionalId(),
        regions: z.array(z.strictObject({ region: z.string().max(200), responsible: z.string().max(200) })).max(100, 'At most 100 regions'),
      }),
    )
    .max(KIND_NAMES.length, 'Name each kind once'),
})
export type DeadlineSettingsChange = z.infer<typeof DeadlineSettingsChange>

export const readDeadlineSettings = call({
  method: 'GET',
  path: '/api/settings/deadlines',
  capability: 'change the settings',
  summary: 'Responsible people and lead times by kind of deadline, and responsible people by region.',
  response: DeadlineSettings,
})

export const saveDeadlineSettings = call({
  method: 'PUT',
  path: '/api/settings/deadlines',
  capability: 'change the settings',
  summary: 'Changes the settings of the given kinds of deadlines. A new lead time counts from now on.',
  body: DeadlineSettingsChange,
  response: DeadlineSettings,
})
