import { brandLabels } from '../../../records/brands/rules.ts'
import { affairLabels, districtLabels, memberLabels, sectionTitles } from '../../../records/charter-affairs/rules.ts'
import { charterLabels } from '../../../records/charters/rules.ts'
import { enrollmentLabels, orientationLabels } from '../../../records/enrollment/rules.ts'
import { facilityLabels } from '../../../records/facility/rules.ts'
import { personLabels } from '../../../records/people/rules.ts'
import type { Region } from '../../../records/regions/contract.ts'
import type { SisSite } from '../../../records/sis-sites/contract.ts'
import { sisFields } from '../../../records/sis-sites/rules.ts'
import { siteLabels } from '../../../records/sites/rules.ts'

type Unsaid = '_id' | 'version' | 'updatedAt' | 'updatedBy'

/** A table of the history as people know it. */
interface PartWords {
  /** In the middle of a sentence: 'changed the facility'. */
  readonly inSentence: string
  /** Over its fields in the filter. */
  readonly title: string
  readonly fields: Readonly<Record<string, string>>
  /** What it is called stands alone, without the words for its kind: 'removed Hannah Ashworth, Registrar'. */
  readonly namedAlone?: true
}

const sisLabels = Object.fromEntries(Object.entries(sisFields).map(([field, { label }]) => [field, label])) as Record<
  keyof typeof sisFields,
  string
>
const sisSite: Record<Exclude<keyof SisSite, Unsaid>, string> = {
  name: 'Name',
  site: 'Site',
  status: 'Status',
  ...sisLabels,
}
const region: Record<keyof Pick<Region, 'name' | 'slug'>, string> = { name: 'Name', slug: 'Slug' }

/** Every part a history tells of, by its table, with the words for its fields; each label stands with its own feature where that shows it. */
const PARTS: Readonly<Record<string, PartWords>> = {
  site: { inSentence: 'the site', title: 'Site', fields: siteLabels },
  facility: { inSentence: 'the facility', title: 'Facility', fields: facilityLabels },
  enrollment: { inSentence: 'the enrollment', title: 'Enrollment', fields: { ...enrollmentLabels, ...orientationLabels } },
  site_person: {
    inSentence: 'a staff member',
    title: 'Staff',
    fields: { person: 'Person', role: 'Role', site: 'Site' },
    namedAlone: true,
  },
  site_program_type: { inSentence: 'the program type', title: 'Program types', fields: { program_type: 'Program type', site: 'Site' } },
  sis_site: { inSentence: 'the SIS site', title: 'SIS sites', fields: sisSite },
  person: { inSentence: 'the person', title: 'Person', fields: personLabels },
  charter: { inSentence: 'the charter', title: 'Charter', fields: { name: 'Name', photo: 'Photo', ...charterLabels } },
  brand: { inSentence: 'the brand', title: 'Brand', fields: { brandName: 'Name', brandPhoto: 'Photo', ...brandLabels } },
  region: { inSentence: 'the region', title: 'Region', fields: region },
  charter_affair: { inSentence: 'the charter affair', title: 'Charter affair', fields: { charter: 'Charter', ...sectionTitles } },
  authorizer_board_member: { inSentence: 'the board member', title: sectionTitles.authorizer_board_member, fields: memberLabels },
  center_district: { inSentence: 'the district', title: sectionTitles.center_district, fields: districtLabels },
}

/** 'homeSite_id' as 'Home site id': what a field without words is called. */
const readable = (name: string): string => {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const wordsOf = (part: string): PartWords | undefined => (Object.hasOwn(PARTS, part) ? PARTS[part] : undefined)

const labelIn = (labels: Readonly<Record<string, string>> | undefined, name: string): string =>
  (labels && Object.hasOwn(labels, name) ? labels[name] : undefined) ?? readable(name)

const textLabels: Readonly<Record<string, Readonly<Record<string, string>>>> = affairLabels

/** The texts of a charter affair's section, in the order of its page. */
export const textsOf = (section: string): string[] => Object.keys(textLabels[section] ?? {})

/** What a field is called; of 'overview.fein', one text of a charter affair's section, 'Overview, FEIN'. */
export const labelOf = (part: string, field: string): string => {
  const [section = '', text] = field.split('.')
  const label = labelIn(wordsOf(part)?.fields, section)
  return text === undefined ? label : `${label}, ${labelIn(textLabels[section], text)}`
}

export const titleOfPart = (part: string): string => wordsOf(part)?.title ?? readable(part)

/** What a change was of: 'the facility', 'the SIS site Lodi IS', 'Hannah Ashworth, Registrar'. */
export const nameOfPart = (part: string, title: string | null): string => {
  const words = wordsOf(part)
  if (title !== null && words?.namedAlone) return title
  return [words?.inSentence ?? `the ${readable(part).toLowerCase()}`, title].filter(Boolean).join(' ')
}
