/** Fields with grade levels, which spreadsheets turn into dates. */
export const GRADE_FIELDS: ReadonlySet<string> = new Set(['charter_grade_levels', 'authorizer_grade_levels'])

/** The fields of the overview under subheadings, which only appear on the page. */
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
}

const overview = {
  ...overviewGroups.School,
  ...overviewGroups.Board,
  ...overviewGroups.Authorizer,
  ...overviewGroups['Term and petition'],
  ...overviewGroups.Oversight,
  ...overviewGroups.Accreditation,
  ...overviewGroups.Funding,
  ...overviewGroups.Other,
}

const charter_terms = {
  corporation: 'Corporation',
  authorizer: 'Authorizer',
  charter_expiration_date: 'Charter expiration date',
  no_of_current_locations: 'No. of current locations',
  no_of_approved_locations: 'No. of approved locations',
  initial_operating_year: 'Initial operating year',
}

const charter_no_cds = {
  cds_code: 'CDS code',
  charter_number: 'Charter number',
}

const funding = {
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

const mou = {
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

const notice_website = {
  board_meeting_info_to_authorizer: 'Board meeting info to authorizer',
  website_minutes_posting: 'Website minutes posting',
  website_audio_posting: 'Website audio posting',
  website_policies_posting: 'Website policies posting',
}

/** The fields of the six sections, all free text, with their labels. */
export const affairLabels = {
  overview,
  charter_terms,
  charter_no_cds,
  funding,
  mou,
  notice_website,
}

export type AffairSection = keyof typeof affairLabels

/** The columns of the two tables. */
export const memberLabels = {
  board_member_name: 'Board member name',
  board_position: 'Board position',
  board_term: 'Board term',
  charter_voting_position: 'Charter voting position',
  charter_voting_notes: 'Charter voting notes',
  authorizer: 'Authorizer',
}
export const districtLabels = {
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
