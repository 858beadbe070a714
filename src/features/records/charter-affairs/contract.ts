import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { byIdOrSlug, id, idOrSlug, recordFields, text } from '../../../contract/fields.ts'
import { optionalMultiline } from '../../../contract/text-schemas.ts'
import { Charter } from '../charters/contract.ts'

/** A section is a set of free-text fields, dates included. Empty fields are null. */
const buildSection = <const Name extends string>(...names: Name[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>)

/** The six sections of a charter affair and their fields. */
export const affairSections = {
  overview: buildSection(
    'next_board_meeting',
    'charter_school_governing_board',
    'corporation',
    'fein',
    'authorizer',
    'county',
    'charter_grade_levels',
    'authorizer_grade_levels',
    'charter_type',
    'main_location_on_cde',
    'cde_address',
    'cds_code',
    'charter_number',
    'charter_start_date',
    'superintendent',
    'authorizer_charter_liaison',
    'authorizer_address',
    'authorizer_phone_number',
    'authorizer_email',
    'authorizer_legal_counsel',
    'school_main_contact',
    'charter_term_history',
    'previous_board_vote',
    'ab_2year_term_extension',
    'charter_expiration_date',
    'petition_submission_due_date',
    'petition_renewal_material_revisions_notes',
    'upcoming_authorizer_petition',
    'mou',
    'additional_fee_paid',
    'fua_agreement_fee',
    'notes',
    'principal',
    'regional',
    'area_sup',
    'oversight_date',
    'oversight_report',
    'dass',
    'dass_due_date',
    'dass_recertification_notes',
    'wasc_term_expiration',
    'wasc_visit_date',
    'wasc_renewal_notes',
    'current_accreditation_term',
    'fol_visit',
    'fol_report_due_date',
    'training_sessions_fol',
    'cbc_ceeb_code',
    'funding_term',
    'funding_expiration',
    'funding_submission_date',
    'funding_determinations_notes',
    'fy_audit',
    'other_meetings_with_authorizer',
    'learning_center_names',
    'active_petition',
  ),
  charter_terms: buildSection(
    'corporation',
    'authorizer',
    'charter_expiration_date',
    'no_of_current_locations',
    'no_of_approved_locations',
    'initial_operating_year',
  ),
  charter_no_cds: buildSection('cds_code', 'charter_number'),
  funding: buildSection(
    'corporation',
    'fein',
    'authorizer',
    'charter_grade_levels',
    'cds_code',
    'charter_number',
    'funding_term',
    'funding_expiration',
    'funding_submission_date',
    'fy_audit',
  ),
  mou: buildSection(
    'mou_term',
    'petition_term',
    'school_name',
    'monthly_oversight_docs',
    'board_mtg_info_for_authorizer',
    'required_posting_items_on_charter_website',
    'governance',
    'legal',
    'insurance',
    'finance',
    'add_finance',
    'locations',
    'cmo',
    'enrollment_credit_requirements',
    'selpa',
    'annual_oversight',
    'compliance_and_ed_program_changes',
    'policies',
    'material_revision',
    'fee_paid',
    'fua',
  ),
  notice_website: buildSection(
    'board_meeting_info_to_authorizer',
    'website_minutes_posting',
    'website_audio_posting',
    'website_policies_posting',
  ),
}
export type AffairSection = keyof typeof affairSections

export const memberFields = buildSection(
  'authorizer',
  'board_member_name',
  'board_position',
  'board_term',
  'charter_voting_position',
  'charter_voting_notes',
)
export const districtFields = buildSection(
  'corp',
  'center_name',
  'center_locations',
  'county',
  'area_sup',
  'high_school_district',
  'elementary_district',
  'out_of_county_center',
  'notes',
)

export const AuthorizerBoardMember = memberFields.extend({ _id: id, ...recordFields })
export type AuthorizerBoardMember = z.infer<typeof AuthorizerBoardMember>
export const CenterDistrict = districtFields.extend({ _id: id, ...recordFields })
export type CenterDistrict = z.infer<typeof CenterDistrict>

/** The legal record of a charter. */
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

export const readCharterAffair = call({
  method: 'GET',
  path: '/locations-api/charter_affair/:id',
  capability: 'read a charter affair',
  summary: 'A charter with its charter affair: one record in a list, or an empty list.',
  params: byIdOrSlug,
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
const MemberInput = buildInput(memberFields)
export type MemberInput = z.infer<typeof MemberInput>
const DistrictInput = buildInput(districtFields)
export type DistrictInput = z.infer<typeof DistrictInput>

const EDIT_CALL = { capability: 'edit a charter affair', response: CharterWithAffair } as const

/** The version that a first save is based on: no record. */
export const NO_RECORD = 0

export const saveCharterAffair = call({
  method: 'PUT',
  path: '/locations-api/charter_affair/:id',
  summary:
    'Changes the given fields of a charter affair’s sections, or creates the record if there is none (`If-Match: "0"` means that no record was seen). Answers with the charter and its affair.',
  params: byIdOrSlug,
  body: AffairChange,
  allowUnchangedInvalid: true,
  ...EDIT_CALL,
})

export const addMember = call({
  method: 'POST',
  path: '/locations-api/charter_affair/:id/member',
  summary: 'Adds an authorizer board member. Answers with the charter and its affair.',
  params: byIdOrSlug,
  body: MemberInput,
  ...EDIT_CALL,
})
export const updateMember = call({
  method: 'PUT',
  path: '/locations-api/charter_affair/:id/member',
  summary:
    'Changes the given fields of a board member, whose `_id` is in the body. A member of another charter is a 404. `If-Match` is the member’s own version.',
  params: byIdOrSlug,
  body: MemberInput.extend({ _id: idOrSlug }),
  ...EDIT_CALL,
})
export const removeMember = call({
  method: 'DELETE',
  path: '/locations-api/charter_affair/:id/member/:memberId',
  summary: 'Deletes a board member. Answers with the charter and its affair.',
  params: z.object({ id: idOrSlug, memberId: idOrSlug }),
  ...EDIT_CALL,
})

export const addDistrict = call({
  method: 'POST',
  path: '/locations-api/charter_affair/:id/district',
  summary: 'Adds a center district. Answers with the charter and its affair.',
  params: byIdOrSlug,
  body: DistrictInput,
  ...EDIT_CALL,
})
export const updateDistrict = call({
  method: 'PUT',
  path: '/locations-api/charter_affair/:id/district',
  summary:
    'Changes the given fields of a district, whose `_id` is in the body. A district of another charter is a 404. `If-Match` is the district’s own version.',
  params: byIdOrSlug,
  body: DistrictInput.extend({ _id: idOrSlug }),
  ...EDIT_CALL,
})
export const removeDistrict = call({
  method: 'DELETE',
  path: '/locations-api/charter_affair/:id/district/:districtId',
  summary: 'Deletes a district. Answers with the charter and its affair.',
  params: z.object({ id: idOrSlug, districtId: idOrSlug }),
  ...EDIT_CALL,
})
