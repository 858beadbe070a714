import type { CharterWithAffair } from '../../../records/charter-affairs/contract.ts'
import { affairLabels, districtLabels, memberLabels, overviewGroups, sectionTitles } from '../../../records/charter-affairs/fields.ts'
import { CHARTER_FIELDS } from '../../../records/charters/fields.ts'
import type { Block, Fact, Section } from '../document.ts'
import { PART_TEXTS } from '../rules.ts'
import { toFacts, toTextFacts } from './fields.server.ts'

export const NO_AFFAIR = 'There was no charter affair on this day.'

const SHEET = 'Charter affair'

/** The charter and its affair, without the sections that are parts of their own. */
export const buildAffair = (charter: CharterWithAffair, timeZone: string): Section => {
  const [affair] = charter.charter_affair_info
  const toBlock = (title: string, facts: readonly Fact[]): Block => ({ kind: 'facts', title, sheet: SHEET, facts })
  const { overview: _overview, charter_terms: _terms, ...others } = affairLabels
  const blocks = [toBlock('Charter', toFacts('charter', CHARTER_FIELDS, charter, timeZone, { brand: charter.brandName }))]
  if (affair) {
    for (const [title, labels] of Object.entries(overviewGroups))
      blocks.push(toBlock(`${sectionTitles.overview}: ${title}`, toTextFacts(labels, affair.overview)))
    for (const [name, labels] of Object.entries(others) as [keyof typeof others, Record<string, string>][])
      blocks.push(toBlock(sectionTitles[name], toTextFacts(labels, affair[name])))
  }
  const intro = affair ? `${PART_TEXTS.affair.contains}.` : NO_AFFAIR
  return { title: PART_TEXTS.affair.title, intro, groups: [{ blocks }] }
}

export const buildTerms = ({ charter_affair_info: [affair] }: CharterWithAffair): Section => ({
  title: PART_TEXTS.terms.title,
  intro: `${PART_TEXTS.terms.contains}.`,
  groups: affair
    ? [{ blocks: [{ kind: 'facts', sheet: PART_TEXTS.terms.title, facts: toTextFacts(affairLabels.charter_terms, affair.charter_terms) }] }]
    : [],
  empty: NO_AFFAIR,
})

/** Rows of an affair, each with all its fields: a table would have to squeeze their texts. */
const buildRows = (
  part: 'board_members' | 'districts',
  rows: readonly Readonly<Record<string, unknown>>[],
  labels: Readonly<Record<string, string>>,
  nameField: string,
  record: string,
): Section => {
  const { title, contains } = PART_TEXTS[part]
  return {
    title,
    intro: `${contains}.`,
    record,
    groups: rows.map((row) => ({
      title: typeof row[nameField] === 'string' ? row[nameField] : `${record} without a name`,
      blocks: [
        {
          kind: 'facts',
          sheet: title,
          facts: toTextFacts(Object.fromEntries(Object.entries(labels).filter(([name]) => name !== nameField)), row),
        },
      ],
    })),
    empty: part === 'board_members' ? 'No board members were recorded on this day.' : 'No districts were recorded on this day.',
  }
}

export const buildMembers = ({ charter_affair_info: [affair] }: CharterWithAffair): Section =>
  buildRows('board_members', affair?.authorizer_board_member ?? [], memberLabels, 'board_member_name', 'Board member')

export const buildDistricts = ({ charter_affair_info: [affair] }: CharterWithAffair): Section =>
  buildRows('districts', affair?.center_district ?? [], districtLabels, 'center_name', 'District')
