import { AUDIT_KINDS, type AuditKind } from '../../../../contract/audit.ts'
import { formatMomentTime } from '../../../../contract/dates.ts'
import { formatNumber, capitalize } from '../../../../contract/format.ts'
import type { AuditEntry, AuditEvent } from '../contract.ts'

const isKnownKind = (kind: string): kind is AuditKind => Object.hasOwn(AUDIT_KINDS, kind)

export const getKindLabel = (kind: string): string => (isKnownKind(kind) ? AUDIT_KINDS[kind] : kind)

/** The actor: the name, with the token of a program; for anonymous events or the server itself, a text that says so. */
export const formatEventActor = ({ name, actor, token }: AuditEvent): string => {
  const who = name ?? actor ?? (token === null ? 'Not signed in' : undefined)
  return [who, token === null ? undefined : `token ${token}`].filter(Boolean).join(', ')
}

/** Values that summarize an event, in this order. */
const SUMMARIZED: Readonly<Record<string, (value: unknown) => string>> = {
  charter: String,
  name: String,
  userName: String,
  displayName: String,
  what: String,
  file: String,
  url: String,
  reason: String,
  accessLevel: (value) => `level ${String(value)}`,
  rows: (value) => `${formatNumber(Number(value))} ${value === 1 ? 'row' : 'rows'}`,
}

export const summarizeEvent = ({ before, after }: AuditEvent): string => {
  const values = { ...before, ...after }
  const isSummarized = (value: unknown): boolean => ['string', 'number'].includes(typeof value)
  return Object.entries(SUMMARIZED)
    .flatMap(([name, format]) => (isSummarized(values[name]) ? [format(values[name])] : []))
    .join(', ')
}

/** 'Bright Harbor, 14 times, 9:02 AM to 4:40 PM' */
export const summarizeEntry = (entry: AuditEntry, timeZone: string): string => {
  const { reads, at } = entry
  if (reads === null) return summarizeEvent(entry)
  const times = [reads.since, at].map((moment) => formatMomentTime(moment, timeZone))
  return [summarizeEvent(entry), `${formatNumber(reads.count)} times`, [...new Set(times)].join(' to ')].filter(Boolean).join(', ')
}

/** Field names that are not derived from the key. */
const FIELD_NAMES: Readonly<Record<string, string>> = { url: 'Web address', azureID: 'Email' }

/** 'accessLevel' as 'Access level'. */
export const formatFieldName = (field: string): string => {
  if (Object.hasOwn(FIELD_NAMES, field)) return FIELD_NAMES[field] ?? field
  const words = field.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return capitalize(words)
}

export const formatEventValue = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'Empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(formatEventValue).join(value.some((one) => typeof one === 'object') ? '; ' : ', ') || 'None'
  if (typeof value !== 'object') return JSON.stringify(value)
  return Object.entries(value)
    .map(([field, inner]) => `${formatFieldName(field)} ${formatEventValue(inner)}`)
    .join(', ')
}

/** One value of an event; undefined on the side that the event does not have. */
export interface EventValue {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

export const listEventValues = ({ before, after }: AuditEvent): EventValue[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map((field) => ({
    field,
    before: before?.[field],
    after: after?.[field],
  }))
