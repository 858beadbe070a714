import { NEW_ROW } from '../../../../contract/records.ts'
import { isSameValue } from '../../../../platform/web/form/values.ts'
import type { ProposalDecision, ProposedField } from '../contract.ts'
import { formatFieldValue } from '../rules.ts'

/** The choice for a field until it is sent. */
export type DecisionChoice =
  /** Accepted as suggested, replacing the value that the field had then. */
  | { readonly kind: 'accept'; readonly suggested: unknown; readonly present: unknown }
  /** Another value is accepted. */
  | { readonly kind: 'edit'; readonly value: unknown }
  /** Someone else's suggestion for the same field is accepted. */
  | { readonly kind: 'other'; readonly _id: string }
  | { readonly kind: 'decline'; readonly reason: string }
/** By field path; declined suggestions of others by `getRivalKey`. */
export type Choices = Readonly<Record<string, DecisionChoice>>

/** The key of a choice about someone else's suggestion for a field. */
export const getRivalKey = (path: string, _id: string): string => `${path} ${_id}`

/** The field of a choice, and the suggestion's key if it is someone else's. */
const findChoiceField = (fields: readonly ProposedField[], key: string) => {
  const [path = '', _id] = key.split(' ')
  const field = fields.find((one) => one.path === path)
  return field && (_id === undefined || field.rivals.some((rival) => rival._id === _id)) ? { field, _id } : undefined
}

/** Adds a choice, and drops those that conflict with it. */
export const chooseOne = (choices: Choices, key: string, choice: DecisionChoice | undefined): Choices => {
  const [path = '', rival] = key.split(' ')
  const taken = choices[path]
  const dropped = new Set([
    key,
    ...(rival !== undefined && taken?.kind === 'other' && taken._id === rival ? [path] : []),
    ...(choice?.kind === 'other' ? [getRivalKey(path, choice._id)] : []),
  ])
  const remaining = Object.fromEntries(Object.entries(choices).filter(([one]) => !dropped.has(one)))
  return choice ? { ...remaining, [key]: choice } : remaining
}

export const acceptField = ({ suggested, present }: ProposedField): DecisionChoice => ({ kind: 'accept', suggested, present })

/** Whether the record's value differs from what the sender saw. */
export const isChangedSince = ({ before, present, state }: ProposedField): boolean => state === 'open' && !isSameValue(before, present)

/** Pictures are previewed instead of described. */
export const isPicture = ({ beforeName, suggestedName, presentName }: ProposedField): boolean =>
  [beforeName, suggestedName, presentName].includes('Picture')

/** Whether the value can be typed: not for a picture, someone's role, or a row with separate fields. */
export const canEditValue = (field: ProposedField): boolean => {
  const { path, suggested } = field
  const isRow = typeof suggested === 'object' && suggested !== null && path.endsWith(`.${NEW_ROW}`)
  return !isPicture(field) && !path.startsWith('people.') && !isRow
}

/** Whether a field has to be reviewed individually before it is accepted. */
const needsLook = (field: ProposedField): boolean => field.problem !== null || field.rivals.length > 0 || isChangedSince(field)

/** Whether a suggestion can be accepted from a list: one field, no picture, no person, no other suggestion, and unchanged since. */
export const canAcceptInList = (fields: readonly ProposedField[]): boolean => {
  const [field, ...others] = fields.filter(({ state }) => state === 'open')
  return field !== undefined && others.length === 0 && !isPicture(field) && !field.path.startsWith('people.') && !needsLook(field)
}

/** The choices that are still valid for open fields: an accepted one must be reviewed again if either value has changed. */
export const keepChoices = (fields: readonly ProposedField[], choices: Choices): Choices =>
  Object.fromEntries(
    Object.entries(choices).filter(([key, choice]) => {
      const field = findChoiceField(fields, key)?.field
      if (field?.state !== 'open') return false
      if (choice.kind === 'other') return field.rivals.some(({ _id }) => _id === choice._id)
      return choice.kind !== 'accept' || (isSameValue(choice.suggested, field.suggested) && isSameValue(choice.present, field.present))
    }),
  )

/** Accepts every open field without a choice that needs no individual review. */
export const acceptAll = (fields: readonly ProposedField[], choices: Choices): Choices => ({
  ...Object.fromEntries(
    fields.filter((field) => field.state === 'open' && !needsLook(field)).map((field) => [field.path, acceptField(field)] as const),
  ),
  ...choices,
})

export interface ChoiceSummary {
  readonly accepted: number
  readonly declined: number
  readonly left: readonly ProposedField[]
}

export const summarizeChoices = (fields: readonly ProposedField[], choices: Choices): ChoiceSummary => {
  const chosen = Object.values(choices)
  const declined = chosen.filter(({ kind }) => kind === 'decline').length
  return {
    declined,
    accepted: chosen.length - declined,
    left: fields.filter(({ path, state }) => state === 'open' && choices[path] === undefined),
  }
}

/** '3 accepted, 1 declined'; empty if nothing is selected. */
export const formatChoiceCounts = ({ accepted, declined }: Pick<ChoiceSummary, 'accepted' | 'declined'>): string =>
  [accepted > 0 ? `${accepted} accepted` : '', declined > 0 ? `${declined} declined` : ''].filter(Boolean).join(', ')

/** The value that a choice accepts. */
const getAccepted = (choice: DecisionChoice): ProposalDecision['accept'][string] => {
  if (choice.kind === 'edit') return { value: choice.value }
  return choice.kind === 'other' ? { suggestion: choice._id } : true
}

/** The request body, with the values that were shown. */
export const buildDecision = (fields: readonly ProposedField[], choices: Choices): ProposalDecision => {
  const chosen = fields.flatMap((field) => {
    const choice = choices[field.path]
    return choice ? [{ field, choice }] : []
  })
  const declineOthers: Record<string, Record<string, string>> = {}
  for (const [key, choice] of Object.entries(choices)) {
    const about = findChoiceField(fields, key)
    if (choice.kind === 'decline' && about?._id !== undefined)
      declineOthers[about._id] = { ...declineOthers[about._id], [about.field.path]: choice.reason.trim() }
  }
  const accepted = chosen.filter(({ choice }) => choice.kind !== 'decline')
  return {
    accept: Object.fromEntries(accepted.map(({ field, choice }) => [field.path, getAccepted(choice)])),
    decline: Object.fromEntries(
      chosen.flatMap(({ field, choice }) => (choice.kind === 'decline' ? [[field.path, choice.reason.trim()] as const] : [])),
    ),
    declineOthers,
    note: null,
    seen: Object.fromEntries(accepted.map(({ field }) => [field.path, field.present])),
  }
}

/** The values of a field as text. */
export const formatField = (field: ProposedField) => ({
  before: formatFieldValue(field.path, field.before, field.beforeName),
  present: formatFieldValue(field.path, field.present, field.presentName),
  suggested: formatFieldValue(field.path, field.suggested, field.suggestedName),
})

/** 'Phone, Start time and 3 more fields'. */
export const listFields = (fields: readonly Pick<ProposedField, 'label'>[]): string => {
  const [first, second, ...others] = fields.map(({ label }) => label)
  if (second === undefined) return first ?? ''
  if (others.length === 0) return `${first} and ${second}`
  return `${first}, ${second} and ${others.length === 1 ? '1 more field' : `${others.length} more fields`}`
}

const OUTCOMES = { accepted: 'accepted', declined: 'declined', withdrawn: 'withdrawn', open: 'waiting' } as const

/** The outcome of each field: 'City accepted, ZIP code declined'; null while none is decided. */
export const formatOutcomes = (fields: readonly Pick<ProposedField, 'label' | 'state'>[]): string | null =>
  fields.every(({ state }) => state === 'open')
    ? null
    : (Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[])
        .flatMap((state) => {
          const own = fields.filter((field) => field.state === state)
          return own.length > 0 ? [`${listFields(own)} ${OUTCOMES[state]}`] : []
        })
        .join(', ')
