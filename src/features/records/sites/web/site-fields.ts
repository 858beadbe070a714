import { useMemo } from 'react'

import { type FieldDefinitions, keysOf, nestFields } from '../../../../contract/field-definitions.ts'
import { getPictureId } from '../../../../contract/fields.ts'
import { buildFormFields, buildInitialValues, buildSection } from '../../../../platform/web/form/defined-fields.ts'
import type { FormSection } from '../../../../platform/web/form/EditForm.tsx'
import type { CrossFieldRules, Choice } from '../../../../platform/web/form/fields.ts'
import { toValues } from '../../../../platform/web/form/values.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import { pictureField } from '../../../record-tools/pictures/web/PicturePicker.tsx'
import { getRegionState } from '../../regions/rules.ts'
import type { SiteDefaults } from '../../settings/contract.ts'
import type { Site } from '../contract.ts'
import { ADDRESS_FIELDS, NEW_SITE_EMAIL_FIELDS, SITE_FIELDS } from '../fields.ts'
import { validateHours } from '../rules.ts'

const EDIT_FIELDS = { ...SITE_FIELDS, ...nestFields('address', ADDRESS_FIELDS) }
const NEW_FIELDS = { ...EDIT_FIELDS, ...nestFields('enrollment_info', NEW_SITE_EMAIL_FIELDS) }
export type SitePath = keyof typeof EDIT_FIELDS

const buildFields = (charters: readonly Choice[], regions: readonly Choice[]) =>
  buildFormFields(NEW_FIELDS, {
    charter: (label) => ({ kind: 'search', label, choices: charters }),
    region: (label) => ({ kind: 'choice', label, choices: regions }),
    photo: pictureField,
  })

const DESCRIPTIONS = {
  Site: 'Name, charter and region',
  Address: 'Shown on the site page and used for the map link',
  Contact: 'Phone, fax and enrollment emails',
  Hours: 'When the site is open',
  About: 'What visitors should know',
  Photo: 'Shown on the site’s card and page',
}
const buildSections = (fields: FieldDefinitions, titles: readonly (keyof typeof DESCRIPTIONS)[]): FormSection[] =>
  titles.map((title) => buildSection(fields, title, DESCRIPTIONS[title]))

// The edit form begins with the fields that change most.
export const SITE_SECTIONS = buildSections(EDIT_FIELDS, ['Address', 'Contact', 'Hours', 'Site', 'About', 'Photo'])
export const NEW_SITE_SECTIONS = buildSections(NEW_FIELDS, ['Site', 'Address', 'Contact', 'Hours', 'About', 'Photo'])

/** The values of the form for a new site, with the network's default region and charter. */
export const buildNewSiteValues = ({ region, charter }: SiteDefaults): Values => ({
  ...buildInitialValues(NEW_FIELDS),
  charter: charter?._id ?? '',
  region: region?._id ?? '',
  ...(region ? { 'address.state': getRegionState(region.name) } : {}),
})

/** The values of the form for a site. */
export const toSiteValues = (site: Site): Values => {
  const own: Record<keyof typeof SITE_FIELDS, FieldValue> = {
    ...site,
    charter: site.charter?._id ?? '',
    region: site.region?._id ?? '',
    photo: getPictureId(site.photo),
  }
  const values: Values = { ...own, ...Object.fromEntries(Object.entries(site.address).map(([name, value]) => [`address.${name}`, value])) }
  return toValues(keysOf(EDIT_FIELDS), (path) => values[path])
}

const toText = (value: FieldValue | undefined): string | null => (typeof value === 'string' ? value : null)

/** Checks the hours if one of them is changed. */
export const validateSiteHours: CrossFieldRules = (values, sent) =>
  sent.includes('address.start_time') || sent.includes('address.end_time')
    ? validateHours(toText(values['address.start_time']), toText(values['address.end_time']))
    : []

type Named = { readonly _id: string; readonly name: string }
const compareLabels = (a: Choice, b: Choice): number => a.label.localeCompare(b.label)

/** The fields of the form with their choices, and the state that a chosen region sets. */
export const useSiteFields = (charters: readonly Named[], regions: readonly Named[]) =>
  useMemo(() => {
    const choices = (records: readonly Named[]) => records.map(({ _id, name }) => ({ value: _id, label: name })).toSorted(compareLabels)
    const along = (path: string, value: FieldValue): Values => {
      const name = path === 'region' ? regions.find(({ _id }) => _id === value)?.name : undefined
      return name === undefined ? {} : { 'address.state': getRegionState(name) }
    }
    return { all: buildFields(choices(charters), choices(regions)), along }
  }, [charters, regions])
