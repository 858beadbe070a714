import type { CharterAffair } from './contract.ts'
import { affairLabels, type AffairSection } from './fields.ts'

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

/** The sections of each field that appears in several. */
const repeatedFields: ReadonlyMap<string, readonly AffairSection[]> = new Map(
  [
    ...Map.groupBy(
      Object.entries(affairLabels).flatMap(([section, labels]) =>
        Object.keys(labels).map((name) => ({ name, section: section as AffairSection })),
      ),
      ({ name }) => name,
    ),
  ]
    .filter(([, fields]) => fields.length > 1)
    .map(([name, fields]) => [name, fields.map(({ section }) => section)]),
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
    const distinctTexts = [...Map.groupBy(sections, textOf)].map(([text, having]) => ({ text, sections: having }))
    const labels: Readonly<Record<string, string>> = affairLabels.overview
    return distinctTexts.length > 1 ? [{ name, label: labels[name] ?? name, texts: distinctTexts }] : []
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
    const repeatedTexts = (repeatedFields.get(name) ?? []).map((section) => texts[`${section}.${name}`])
    const ofAffair = [...new Set(repeatedTexts.flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [text.trim()] : [])))]
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
