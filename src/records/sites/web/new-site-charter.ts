import type { SiteSummary } from '../../../contract/references.ts'
import type { Choice, FormField } from '../../../platform/web/form/fields.ts'
import type { FieldValue, Values } from '../../../platform/web/form/values.ts'
import { getStateName } from '../../regions/rules.ts'

type Sites = readonly Pick<SiteSummary, 'charter' | 'region' | 'address'>[]
interface Fields {
  readonly charter: FormField
  readonly region: FormField
}

const listChoices = (field: FormField): readonly Choice[] => (field.kind === 'choice' || field.kind === 'search' ? field.choices : [])
const findLabel = (field: FormField, value: FieldValue | undefined): string | undefined =>
  listChoices(field).find((choice) => choice.value === value)?.label

/** The charter of a new site: those that have a site in the selected region come first. */
export const groupCharters = ({ charter, region }: Fields, sites: Sites): FormField => {
  if (charter.kind !== 'search') return charter
  return {
    ...charter,
    groupChoices: ({ region: selected }) => {
      const own = new Set(sites.flatMap((site) => (site.charter && site.region?._id === selected ? [site.charter._id] : [])))
      const [inRegion, others] = [true, false].map((isIn) => charter.choices.filter(({ value }) => own.has(value) === isIn))
      return [
        { group: `In ${findLabel(region, selected) ?? 'this region'}`, items: inRegion ?? [] },
        { group: own.size > 0 ? 'Other charters' : 'Charters', items: others ?? [] },
      ].filter(({ items }) => items.length > 0)
    },
  }
}

/** The names of a selected charter and state, if the charter has no site in it. */
export const findDistantCharter = (
  { charter }: Fields,
  sites: Sites,
  values: Values,
): { readonly charter: string; readonly state: string } | null => {
  const { charter: selected, 'address.state': state } = values
  const hasSite = sites.some((site) => site.charter?._id === selected && site.address.state === state)
  return hasSite || typeof state !== 'string'
    ? null
    : { charter: findLabel(charter, selected) ?? 'This charter', state: getStateName(state) }
}
