import { useMemo } from 'react'

import { type FieldDefinitions, nestFields } from '../../../contract/field-definitions.ts'
import type { Named } from '../../../contract/references.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { toChoices } from '../../../platform/web/form/choices.ts'
import { buildFormFields, buildInitialValues, buildSection, toDefinedValues } from '../../../platform/web/form/defined-fields.ts'
import type { CrossFieldRules, Choice, FormField } from '../../../platform/web/form/fields.ts'
import { pictureField } from '../../../platform/web/form/picture-field.tsx'
import type { FieldValue, Values } from '../../../platform/web/form/values.ts'
import { getRegionState } from '../../regions/rules.ts'
import type { SiteDefaults } from '../../settings/contract.ts'
import type { Site } from '../contract.ts'
import { ADDRESS_FIELDS, NEW_SITE_EMAIL_FIELDS, SITE_FIELDS, STATES } from '../fields.ts'
import { validateHours } from '../rules.ts'

const EDIT_FIELDS = { ...SITE_FIELDS, ...nestFields('address', ADDRESS_FIELDS) }
const NEW_ONLY_FIELDS = nestFields('enrollment_info', NEW_SITE_EMAIL_FIELDS)
const NEW_FIELDS = { ...EDIT_FIELDS, ...NEW_ONLY_FIELDS }

/** The states of the organization; a site in another one keeps it. */
const listOwnStates = (): readonly Choice[] => {
  const { states } = configuration.organization
  return (states.length > 0 ? states : STATES).map((value) => ({ value, label: value }))
}

const buildFields = (charters: readonly Choice[], regions: readonly Choice[]) => {
  const defined = buildFormFields(EDIT_FIELDS, {
    charter: (label) => ({ kind: 'search', label, choices: charters }),
    region: (label) => ({ kind: 'choice', label, choices: regions }),
    photo: pictureField,
  })
  const state: FormField = { ...defined['address.state'], kind: 'choice', choices: listOwnStates() }
  const fields = { ...defined, 'address.state': state }
  return { fields, newFields: { ...fields, ...buildFormFields(NEW_ONLY_FIELDS, {}) } }
}

const DESCRIPTIONS = {
  Site: 'Name, charter and region',
  Address: 'Shown on the site page and used for the map link',
  Contact: 'Phone and fax',
  Hours: 'When the site is open',
  About: 'What visitors should know',
  Photo: 'Shown on the site’s card and page',
}
const buildSections = <F extends FieldDefinitions>(fields: F, titles: readonly (keyof typeof DESCRIPTIONS)[]) =>
  titles.map((title) => buildSection(fields, title, DESCRIPTIONS[title]))

// The edit form begins with the fields that change most often.
export const SITE_SECTIONS = buildSections(EDIT_FIELDS, ['Contact', 'Address', 'Hours', 'Site', 'About', 'Photo'])
export const NEW_SITE_SECTIONS = [
  ...buildSections(NEW_FIELDS, ['Site', 'Address']),
  buildSection(NEW_FIELDS, 'Contact', 'Phone, fax and enrollment emails'),
  ...buildSections(NEW_FIELDS, ['Hours', 'About', 'Photo']),
]

/** The values of the form for a new site, with the network's default region and charter. */
export const buildNewSiteValues = ({ region, charter }: SiteDefaults) => ({
  ...buildInitialValues(NEW_FIELDS),
  charter: charter?._id ?? '',
  region: region?._id ?? '',
  ...(region ? { 'address.state': getRegionState(region.name) } : {}),
})

/** The values of the form for a site. */
export const toSiteValues = (site: Site) => toDefinedValues(EDIT_FIELDS, site)

const toText = (value: FieldValue | undefined): string | null => (typeof value === 'string' ? value : null)

/** Checks the hours if one of them is changed. */
export const validateSiteHours: CrossFieldRules = (values, sent) =>
  sent.includes('address.start_time') || sent.includes('address.end_time')
    ? validateHours(toText(values['address.start_time']), toText(values['address.end_time']))
    : []

/** The fields of the form with their choices, and the state that follows from a selected region. */
export const useSiteFields = (charters: readonly Named[], regions: readonly Named[]) =>
  useMemo(() => {
    const derivedValues = (path: string, value: FieldValue): Values => {
      const name = path === 'region' ? regions.find(({ _id }) => _id === value)?.name : undefined
      return name === undefined ? {} : { 'address.state': getRegionState(name) }
    }
    return { ...buildFields(toChoices(charters), toChoices(regions)), derivedValues }
  }, [charters, regions])
