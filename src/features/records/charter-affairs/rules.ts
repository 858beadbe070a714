import type { AffairSection, AuthorizerBoardMember, CenterDistrict, CharterAffair } from './contract.ts'

/** The labels of a section; a missing or unknown field does not compile. */
type Labels<Section> = Record<keyof Section & string, string>
type SectionLabels<S extends AffairSection> = Labels<CharterAffair[S]>

/** The 56 fields of the overview under subheadings, which are only on the page. */
export const overviewGroups = {
  School: {
    charter_type: 'Charter type',
    charter_number: 'Charter number',
    cds_code: 'CDS code',
    corporation: 'Corporation',
    fein: 'FEIN',
    county: 'County',
    charter_grade_levels: 'Charter grade levels',
    main_location_on_cde: 'Main location on CDE',
    cde_address: 'CDE address',
    superintendent: 'Superintendent',
    school_main_contact: 'School main contact',
    charter_start_date: 'Charter start date',
  },
  Board: {
    next_board_meeting: 'Next board meeting',
    charter_school_governing_board: 'Charter school governing board',
    previous_board_vote: 'Previous board vote',
  },
  Authorizer: {
    authorizer: 'Authorizer',
    authorizer_charter_liaison: 'Authorizer charter liaison',
    authorizer_phone_number: 'Authorizer phone number',
    authorizer_email: 'Authorizer email',
    authorizer_address: 'Authorizer address',
    authorizer_legal_counsel: 'Authorizer legal counsel',
    authorizer_grade_levels: 'Authorizer grade levels',
    other_meetings_with_authorizer: 'Other meetings with authorizer',
  },
  'Term and petition': {
    charter_expiration_date: 'Charter expiration date',
    charter_term_history: 'Charter term history',
    ab_2year_term_extension: 'AB 2-year term extension',
    active_petition: 'Active petition',
    petition_submission_due_date: 'Petition submission due date',
    upcoming_authorizer_petition: 'Upcoming authorizer petition',
    petition_renewal_material_revisions_notes: 'Petition, renewal and material revisions notes',
  },
  Oversight: {
    oversight_date: 'Oversight date',
    oversight_report: 'Oversight report',
    mou: 'MOU',
    additional_fee_paid: 'Additional fee paid',
    fua_agreement_fee: 'FUA agreement fee',
    dass: 'DASS',
    dass_due_date: 'DASS due date',
    dass_recertification_notes: 'DASS recertification notes',
  },
  Accreditation: {
    current_accreditation_term: 'Current accreditation term',
    wasc_term_expiration: 'WASC term expiration',
    wasc_visit_date: 'WASC visit date',
    wasc_renewal_notes: 'WASC renewal notes',
    fol_visit: 'FOL visit',
    fol_report_due_date: 'FOL report due date',
    training_sessions_fol: 'FOL training sessions (3 sessions in total)',
  },
  Funding: {
    funding_term: 'Funding term',
    funding_expiration: 'Funding expiration',
    funding_submission_date: 'Funding submission date',
    funding_determinations_notes: 'Funding determinations notes',
    fy_audit: 'FY audit',
  },
  Other: {
    principal: 'Principal',
    regional: 'Regional',
    area_sup: 'Area superintendent',
    learning_center_names: 'Learning center names',
    cbc_ceeb_code: 'CBC CEEB code',
    notes: 'Notes',
  },
} satisfies Record<string, Partial<SectionLabels<'overview'>>>

const overview: SectionLabels<'overview'> = {
  ...overviewGroups.School,
  ...overviewGroups.Board,
  ...overviewGroups.Authorizer,
  ...overviewGroups['Term and petition'],
  ...overviewGroups.Oversight,
  ...overviewGroups.Accreditation,
  ...overviewGroups.Funding,
  ...overviewGroups.Other,
}

const charter_terms: SectionLabels<'charter_terms'> = {
  corporation: 'Corporation',
  authorizer: 'Authorizer',
  charter_expiration_date: 'Charter expiration date',
  no_of_current_locations: 'No. of current locations',
  no_of_approved_locations: 'No. of approved locations',
  initial_operating_year: 'Initial operating year',
}

const charter_no_cds: SectionLabels<'charter_no_cds'> = {
  cds_code: 'CDS code',
  charter_number: 'Charter number',
}

const funding: SectionLabels<'funding'> = {
  corporation: 'Corporation',
  fein: 'FEIN',
  authorizer: 'Authorizer',
  charter_grade_levels: 'Charter grade levels',
  cds_code: 'CDS code',
  charter_number: 'Charter number',
  funding_term: 'Funding term',
  funding_expiration: 'Funding expiration',
  funding_submission_date: 'Funding submission date',
  fy_audit: 'FY audit',
}

const mou: SectionLabels<'mou'> = {
  mou_term: 'MOU term',
  petition_term: 'Petition term',
  school_name: 'School name',
  monthly_oversight_docs: 'Monthly oversight docs',
  board_mtg_info_for_authorizer: 'Board meeting info for authorizer',
  required_posting_items_on_charter_website: 'Required posting items on charter website',
  governance: 'Governance',
  legal: 'Legal',
  insurance: 'Insurance',
  finance: 'Finance',
  add_finance: 'Additional finance',
  locations: 'Locations',
  cmo: 'CMO',
  enrollment_credit_requirements: 'Enrollment and credit requirements',
  selpa: 'SELPA',
  annual_oversight: 'Annual oversight',
  compliance_and_ed_program_changes: 'Compliance and ed program changes',
  policies: 'Policies',
  material_revision: 'Material revision',
  fee_paid: 'Fee paid',
  fua: 'FUA',
}

const notice_website: SectionLabels<'notice_website'> = {
  board_meeting_info_to_authorizer: 'Board meeting info to authorizer',
  website_minutes_posting: 'Website minutes posting',
  website_audio_posting: 'Website audio posting',
  website_policies_posting: 'Website policies posting',
}

/** The labels of the six sections. */
export const affairLabels: { [S in AffairSection]: SectionLabels<S> } = {
  overview,
  charter_terms,
  charter_no_cds,
  funding,
  mou,
  notice_website,
}

type RecordField = '_id' | 'version' | 'updatedAt' | 'updatedBy'

/** The columns of the two tables. */
export const memberLabels: Labels<Omit<AuthorizerBoardMember, RecordField>> = {
  board_member_name: 'Board member name',
  board_position: 'Board position',
  board_term: 'Board term',
  charter_voting_position: 'Charter voting position',
  charter_voting_notes: 'Charter voting notes',
  authorizer: 'Authorizer',
}
export const districtLabels: Labels<Omit<CenterDistrict, RecordField>> = {
  center_name: 'Center name',
  corp: 'Corp',
  center_locations: 'Center locations',
  county: 'County',
  area_sup: 'Area superintendent',
  high_school_district: 'High school district',
  elementary_district: 'Elementary district',
  out_of_county_center: 'Out-of-county center',
  notes: 'Notes',
}

/** The titles of the eight sections, in order. */
export const sectionTitles = {
  overview: 'Overview',
  charter_terms: 'Charter Terms',
  charter_no_cds: 'Charter No CDS',
  funding: 'Funding',
  mou: 'MOUs Overview',
  notice_website: 'Notice & Website Posting',
  authorizer_board_member: 'Authorizer Board Members',
  center_district: 'Center District',
} as const satisfies Record<AffairSection | 'authorizer_board_member' | 'center_district', string>
export type SectionName = keyof typeof sectionTitles

const EXPECTED_DIGITS: Readonly<Record<string, readonly [name: string, digits: number]>> = {
  cds_code: ['A CDS code', 14],
  fein: ['A FEIN', 9],
}

/** A hint if a code has the wrong number of digits, ignoring spaces and hyphens. It does not prevent a save. Null without a hint. */
export const getFormatHint = (field: string, value: string | null): string | null => {
  const rule = Object.hasOwn(EXPECTED_DIGITS, field) ? EXPECTED_DIGITS[field] : undefined
  const text = value?.replaceAll(/[\s-]/g, '') ?? ''
  if (!rule || text === '' || (/^\d+$/.test(text) && text.length === rule[1])) return null
  return `${rule[0]} should have ${rule[1]} digits`
}

/** The sections of each field that is in several. */
const repeatedFields: ReadonlyMap<string, readonly AffairSection[]> = new Map(
  [
    ...Map.groupBy(
      Object.entries(affairLabels).flatMap(([section, labels]) =>
        Object.keys(labels).map((name) => ({ name, section: section as AffairSection })),
      ),
      ({ name }) => name,
    ),
  ]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => [name, places.map(({ section }) => section)]),
)

/** The paths of all repeated fields: `overview.fein`. */
export const repeatedPaths: readonly string[] = [...repeatedFields].flatMap(([name, sections]) =>
  sections.map((section) => `${section}.${name}`),
)

/** A field whose value differs between sections: each value with its sections. */
export interface Disagreement {
  readonly name: string
  readonly label: string
  readonly texts: readonly { readonly text: string; readonly sections: readonly AffairSection[] }[]
}

/** The repeated fields whose values differ, in texts by path. */
export const listDisagreements = (texts: Readonly<Record<string, unknown>>): Disagreement[] =>
  [...repeatedFields].flatMap(([name, sections]) => {
    const textOf = (section: AffairSection): string => {
      const text = texts[`${section}.${name}`]
      return typeof text === 'string' ? text.trim() : ''
    }
    const said = [...Map.groupBy(sections, textOf)].map(([text, having]) => ({ text, sections: having }))
    const labels: Readonly<Record<string, string>> = affairLabels.overview
    return said.length > 1 ? [{ name, label: labels[name] ?? name, texts: said }] : []
  })

/** The fields of both a charter and its affair. */
const SHARED_WITH_CHARTER = ['charter_number', 'charter_grade_levels'] as const

/** A field that differs between a charter and its affair. Null if the charter's is empty. */
export interface CharterDifference {
  readonly label: string
  readonly ofCharter: string | null
  readonly ofAffair: readonly string[]
}

/** The fields that differ between a charter and its affair, ignoring empty ones of the affair. */
export const listCharterDifferences = (
  charter: Readonly<Record<(typeof SHARED_WITH_CHARTER)[number], string | null>>,
  texts: Readonly<Record<string, unknown>>,
): CharterDifference[] =>
  SHARED_WITH_CHARTER.flatMap((name) => {
    const own = charter[name]?.trim() || null
    const said = (repeatedFields.get(name) ?? []).map((section) => texts[`${section}.${name}`])
    const ofAffair = [...new Set(said.flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [text.trim()] : [])))]
    return ofAffair.every((text) => text === own) ? [] : [{ label: affairLabels.overview[name], ofCharter: own, ofAffair }]
  })

type AnyField = { [S in AffairSection]: keyof CharterAffair[S] & string }[AffairSection]

/** The fields with a copy button. */
export const COPYABLE_FIELDS: ReadonlySet<string> = new Set<AnyField>([
  'cds_code',
  'charter_number',
  'fein',
  'cbc_ceeb_code',
  'cde_address',
  'authorizer_address',
  'authorizer_phone_number',
  'authorizer_email',
])
