import type { Named } from '../../../contract/references.ts'
import { listTimeZones } from '../../../contract/time-zones.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import type { FormValues } from '../../../platform/web/form/body-fields.ts'
import { buildFormFields, buildSection } from '../../../platform/web/form/defined-fields.ts'
import type { Choice } from '../../../platform/web/form/fields.ts'
import { pictureField } from '../../../platform/web/form/picture-field.tsx'
import type { saveSettings, Settings } from '../contract.ts'
import { SETTINGS_FIELDS } from '../fields.ts'
import { ProgramTypesInput, toProgramTypes } from './ProgramTypesInput.tsx'
import { toRecipients, RequestsToInput } from './RequestsToInput.tsx'
import { StatesInput, toStates } from './StatesInput.tsx'

const buildChoices = (records: readonly Named[]): Choice[] =>
  records.map(({ _id, name }) => ({ value: _id, label: name })).toSorted((a, b) => a.label.localeCompare(b.label))

const NO_CHARTER: Choice = { value: '', label: 'None' }
const SERVER_TIME_ZONE: Choice = { value: '', label: 'The time zone of the server’s environment' }
/** Names such as `America/Los_Angeles` are found by what people type. */
const toZoneChoice = (zone: string): Choice => ({ value: zone, label: zone.replaceAll('_', ' ') })

/** The fields of the settings, for a form. */
export const buildSettingsFields = (regions: readonly Named[], charters: readonly Named[]) =>
  buildFormFields(SETTINGS_FIELDS, {
    timeZone: (label) => ({ kind: 'search', label, choices: [SERVER_TIME_ZONE, ...listTimeZones().map(toZoneChoice)] }),
    states: (label) => ({ kind: 'own', label, isGroup: true, Input: StatesInput, toText: (value) => toStates(value).join(', ') }),
    logo: (label) => pictureField(label, true),
    defaultRegion: (label) => ({ kind: 'choice', label, choices: buildChoices(regions) }),
    defaultCharter: (label) => ({ kind: 'search', label, choices: [NO_CHARTER, ...buildChoices(charters)] }),
    programTypes: (label) => ({
      kind: 'own',
      label,
      isGroup: true,
      Input: ProgramTypesInput,
      toText: (value) =>
        toProgramTypes(value)
          .map(({ name }) => name)
          .join(', '),
    }),
    changeRequestsTo: (label) => ({
      kind: 'own',
      label,
      isGroup: true,
      Input: RequestsToInput,
      toText: (value) =>
        toRecipients(value)
          .map(({ region, emails }) => emails && `${regions.find(({ _id }) => _id === region)?.name ?? 'Others'}: ${emails}`)
          .filter(Boolean)
          .join('; '),
    }),
  })

export const SETTINGS_SECTIONS = [
  buildSection(SETTINGS_FIELDS, 'Organization', 'Shown in emails and files'),
  buildSection(SETTINGS_FIELDS, 'New sites', 'Defaults for Add Resource Center'),
  buildSection(SETTINGS_FIELDS, 'Program types', 'Programs that sites can offer'),
  buildSection(
    SETTINGS_FIELDS,
    'Requests',
    'Who receives change and support requests. Clear a field to use the server’s default, if there is one',
  ),
]

/** The values of the form of the settings. */
export const toSettingsValues = (settings: Settings, regions: readonly Named[]): FormValues<typeof saveSettings> => {
  const emailsOf = (region: string | null): string => settings.changeRequestsTo.find((one) => one.region === region)?.emails.join(' ') ?? ''
  return {
    organisation: settings.organisation ?? '',
    timeZone: settings.timeZone ?? '',
    states: settings.states,
    logo: settings.logo,
    defaultRegion: settings.defaults.region?._id ?? '',
    defaultCharter: settings.defaults.charter?._id ?? '',
    programTypes: settings.programTypes,
    changeRequestsTo: [...buildChoices(regions).map(({ value }) => value), null].map((region) => ({ region, emails: emailsOf(region) })),
    supportRequestsTo: settings.supportRequestsTo.join(' '),
  }
}

/** Uses saved settings of the organization in this page; other pages get them when they are loaded. */
export const noteOrganization = ({ organisation: name, logo, states, timeZone }: Settings): void => {
  Object.assign(configuration, { organization: { name, logo, states } }, timeZone === null ? {} : { timeZone })
}
