import type { AffairFacts } from './affair-facts.ts'

export const createTerms = ({ random, charter, ...facts }: AffairFacts): Record<string, string> => ({
  corporation: facts.corporation,
  authorizer: facts.authorizer,
  charter_expiration_date: facts.dates.expiresInTerms,
  no_of_current_locations: String(charter.sites.length),
  no_of_approved_locations: String(charter.sites.length + random.int(0, 4)),
  initial_operating_year: `${facts.firstYear}-${String(facts.firstYear + 1).slice(2)}`,
})

export const createNumbers = ({ cdsCode, charterNumber }: AffairFacts): Record<string, string> => ({
  cds_code: cdsCode,
  charter_number: charterNumber,
})

export const createFunding = (facts: AffairFacts): Record<string, string | null> => ({
  corporation: facts.corporation,
  fein: facts.fein,
  authorizer: facts.authorizer,
  charter_grade_levels: facts.grades,
  cds_code: facts.cdsCode,
  charter_number: facts.charterNumber,
  funding_term: facts.fundingTerm,
  funding_expiration: facts.dates.fundingEnds,
  funding_submission_date: facts.dates.fundingSubmission,
  fy_audit: facts.dates.audit,
})

export const createMou = ({ random, charter, on, ...facts }: AffairFacts): Record<string, string> => ({
  mou_term: facts.dates.mouTerm,
  petition_term: facts.dates.petitionTerm,
  school_name: charter.name,
  monthly_oversight_docs: random.pick([
    'Cash flow, check register and enrollment by the 15th',
    'Enrollment by site by the 10th; board packet when posted',
    'None monthly; quarterly binder',
  ]),
  board_mtg_info_for_authorizer: 'Agenda 72 hours before, minutes within ten days of approval',
  required_posting_items_on_charter_website:
    'Board agendas and minutes, uniform complaint procedure, homeless liaison, suicide prevention policy, Title IX officer, LCAP, SARC, budget overview for parents',
  governance: random.pick([
    'Authorizer may seat one non-voting member',
    'Conflict-of-interest code filed with the county',
    'Form 700 from all members by April 1',
  ]),
  legal: 'School indemnifies the authorizer; disputes go to mediation first, within 30 days of the letter',
  insurance: random.pick([
    '$5,000,000 liability, authorizer named as additional insured',
    '$10,000,000 through the joint powers authority',
  ]),
  finance: 'First interim December 8, second interim March 8, unaudited actuals September 1',
  add_finance: random.pick(['Reserve of 5% of expenditures', 'Loans over $250,000 need notice', 'Quarterly meeting with the CBO']),
  locations: `${charter.sites.length} approved; notice 60 days before any move, and a material revision for a new county`,
  cmo: random.pick(['None', `${charter.brand.name}, 9% of revenue`, `${charter.brand.name}, services agreement renewed each June`]),
  enrollment_credit_requirements: `Cap of ${random.int(3, 30) * 50} students; ${random.pick(['180', '200', '220'])} credits to graduate`,
  selpa: random.pick([
    'Own LEA in a charter-only SELPA',
    'School of the district for special education',
    'Member of the county SELPA since the first term',
  ]),
  annual_oversight: `Site visits in ${random.pick(['February', 'March', 'October'])}, two sites drawn by lot; rubric sent 30 days before`,
  compliance_and_ed_program_changes: 'Bell schedule, calendar and course-of-study changes are sent before the board adopts them',
  policies: 'Student handbook, discipline matrix and independent study policy each July',
  material_revision: random.pick(['New site, grade span, corporate name', 'New site or a drop in enrollment over 25%']),
  fee_paid: random.pick([`Paid through ${on(-random.int(20, 200))}`, 'Paid', `Due ${on(random.int(5, 90))}`]),
  fua: random.pick(['None, all sites leased', 'Prop. 39 request filed November 1', 'Facilities use agreement for one classroom block']),
})

export const createNotice = ({ random, on }: AffairFacts): Record<string, string> => ({
  board_meeting_info_to_authorizer: `Sent ${on(-random.int(3, 60))} by the board clerk`,
  website_minutes_posting: random.pick(['Posted through last meeting', `Two months behind, promised for ${on(random.int(3, 30))}`, 'Yes']),
  website_audio_posting: random.pick(['Yes, kept 12 months', 'No', 'On request']),
  website_policies_posting: random.pick(['Complete', 'Title IX page missing', 'Complete, checked each quarter']),
}) // prettier-ignore
