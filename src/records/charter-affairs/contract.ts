import { z } from 'zod'

import { call, PastDay } from '../../contract/call.ts'
import { editCall } from '../../contract/edit-call.ts'
import { byIdOrSlug, id, idOrSlug, recordFields, text } from '../../contract/fields.ts'
import { optionalMultiline } from '../../contract/text-schemas.ts'
import { Charter } from '../charters/contract.ts'
import { affairLabels, districtLabels, memberLabels, type AffairSection } from './fields.ts'

/** A section is a set of free-text fields, dates included. Empty fields are null. */
const buildSection = <Name extends string>(labels: Readonly<Record<Name, string>>) =>
  z.strictObject(Object.fromEntries(Object.keys(labels).map((name) => [name, text])) as Record<Name, typeof text>)

/** The six sections of a charter affair and their fields. */
export const affairSections = {
  overview: buildSection(affairLabels.overview),
  charter_terms: buildSection(affairLabels.charter_terms),
  charter_no_cds: buildSection(affairLabels.charter_no_cds),
  funding: buildSection(affairLabels.funding),
  mou: buildSection(affairLabels.mou),
  notice_website: buildSection(affairLabels.notice_website),
}
export const AFFAIR_SECTIONS = Object.keys(affairSections) as AffairSection[]

export const memberFields = buildSection(memberLabels)
export const districtFields = buildSection(districtLabels)

export const AuthorizerBoardMember = memberFields.extend({ _id: id, ...recordFields })
export type AuthorizerBoardMember = z.infer<typeof AuthorizerBoardMember>
export const CenterDistrict = districtFields.extend({ _id: id, ...recordFields })
export type CenterDistrict = z.infer<typeof CenterDistrict>

/** The governance record of a charter. */
export const CharterAffair = z.strictObject({
  _id: id,
  ...affairSections,
  authorizer_board_member: z.array(AuthorizerBoardMember),
  center_district: z.array(CenterDistrict),
  ...recordFields,
})
export type CharterAffair = z.infer<typeof CharterAffair>

/** A charter with its affair: a list with one record, or an empty list. */
export const CharterWithAffair = Charter.extend({ charter_affair_info: z.array(CharterAffair) })
export type CharterWithAffair = z.infer<typeof CharterWithAffair>

export const readCharterAffair = call('GET', '/locations-api/charter_affair/:id', {
  capability: 'read a charter affair',
  summary: 'A charter with its charter affair: one record in a list, or an empty list.',
  params: byIdOrSlug,
  query: z.strictObject({ on: PastDay }),
  response: CharterWithAffair,
})

type InputShape<Shape> = { [Name in keyof Shape]: z.ZodOptional<ReturnType<typeof optionalMultiline>> }
/** Any fields of a section, all optional free text. */
const buildInput = <Shape extends Record<string, z.ZodType>>(of: z.ZodObject<Shape>) =>
  z.strictObject(Object.fromEntries(Object.keys(of.shape).map((name) => [name, optionalMultiline().optional()])) as InputShape<Shape>)

const AffairChange = z
  .strictObject({
    charter_no_cds: buildInput(affairSections.charter_no_cds),
    charter_terms: buildInput(affairSections.charter_terms),
    funding: buildInput(affairSections.funding),
    mou: buildInput(affairSections.mou),
    notice_website: buildInput(affairSections.notice_website),
    overview: buildInput(affairSections.overview),
  })
  .partial()
export type AffairChange = z.infer<typeof AffairChange>
export const MemberInput = buildInput(memberFields)
export type MemberInput = z.infer<typeof MemberInput>
export const DistrictInput = buildInput(districtFields)
export type DistrictInput = z.infer<typeof DistrictInput>

const EDIT_CALL = { capability: 'edit a charter affair', response: CharterWithAffair } as const

/** The version that the first save is based on: no record. */
export const NO_RECORD = 0

export const saveCharterAffair = editCall('PUT', '/locations-api/charter_affair/:id', {
  summary:
    'Changes the given fields of a charter affair’s sections, or creates the record if there is none (`If-Match: "0"` means that no record was seen). Answers with the charter and its affair.',
  body: AffairChange,
  ...EDIT_CALL,
})

export const addMember = call('POST', '/locations-api/charter_affair/:id/member', {
  summary: 'Adds an authorizer board member. Answers with the charter and its affair.',
  params: byIdOrSlug,
  body: MemberInput,
  ...EDIT_CALL,
})
export const updateMember = call('PUT', '/locations-api/charter_affair/:id/member', {
  summary:
    'Changes the given fields of a board member, whose `_id` is in the body. A member of another charter is a 404. `If-Match` is the member’s own version.',
  params: byIdOrSlug,
  body: MemberInput.extend({ _id: idOrSlug }),
  ...EDIT_CALL,
})
export const removeMember = call('DELETE', '/locations-api/charter_affair/:id/member/:memberId', {
  summary: 'Deletes a board member. Answers with the charter and its affair.',
  params: z.object({ id: idOrSlug, memberId: idOrSlug }),
  ...EDIT_CALL,
})

export const addDistrict = call('POST', '/locations-api/charter_affair/:id/district', {
  summary: 'Adds a center district. Answers with the charter and its affair.',
  params: byIdOrSlug,
  body: DistrictInput,
  ...EDIT_CALL,
})
export const updateDistrict = call('PUT', '/locations-api/charter_affair/:id/district', {
  summary:
    'Changes the given fields of a district, whose `_id` is in the body. A district of another charter is a 404. `If-Match` is the district’s own version.',
  params: byIdOrSlug,
  body: DistrictInput.extend({ _id: idOrSlug }),
  ...EDIT_CALL,
})
export const removeDistrict = call('DELETE', '/locations-api/charter_affair/:id/district/:districtId', {
  summary: 'Deletes a district. Answers with the charter and its affair.',
  params: z.object({ id: idOrSlug, districtId: idOrSlug }),
  ...EDIT_CALL,
})
