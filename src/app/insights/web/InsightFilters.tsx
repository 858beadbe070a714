import { TextInput } from '@mantine/core'

import { Chips, FilterChoice, Filters } from '../../../platform/web/list/Filters.tsx'
import { NamedChoice } from '../../../platform/web/list/NamedChoice.tsx'
import { getToday } from '../../../platform/web/today.ts'
import { useBrands } from '../../../records/brands/web/queries.ts'
import { useCharters } from '../../../records/charters/web/queries.ts'
import { useRegionFilter } from '../../../records/regions/web/public/region-filter.tsx'
import { useFacilityTypeFilter } from '../../../records/sites/web/public/facility-type-filter.tsx'
import { useSiteSummaries } from '../../../records/sites/web/queries.ts'
import { INSIGHT_GROUPS } from '../contract.ts'
import { OTHER_PERIOD, type PageFilter, PERIODS } from './use-insight-filter.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'

const PERIOD_CHOICES = [...PERIODS, { value: OTHER_PERIOD, name: 'From day to day' }]

const toChoices = (records: readonly { readonly slug: string; readonly name: string }[] = []) =>
  records.map(({ slug, name }) => ({ value: slug, name })).toSorted((a, b) => a.name.localeCompare(b.name))

/** The first and last day of another period. Days in the wrong order are not sent. */
const PeriodDays = ({ filter: { begin, end, change } }: { filter: PageFilter }) => {
  const input = (label: string, name: 'from' | 'to', value: string, limits: { min?: string; max: string }) => (
    <TextInput
      label={label}
      type="date"
      {...limits}
      value={value}
      error={begin > end && name === 'to' ? 'Choose a day after the first one' : null}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value || undefined })}
    />
  )
  return (
    <div className={`${layoutClasses.wrappingRow} ${layoutClasses.topMargin12}`} data-print="no">
      {input('From', 'from', begin, { max: getToday() })}
      {input('To', 'to', end, { min: begin, max: getToday() })}
    </div>
  )
}

/** The filters of the page. */
export const InsightFilters = ({ filter }: { filter: PageFilter }) => {
  const region = useRegionFilter()
  const { data: sites } = useSiteSummaries()
  const { data: brands } = useBrands()
  const { data: charters } = useCharters()
  const type = useFacilityTypeFilter(sites)
  const { change, period, isCompared, topic, begin, end } = filter
  return (
    <>
      <Filters>
        <Chips label="Filters">
          <NamedChoice
            label="Period"
            all="Last 12 months"
            choices={PERIOD_CHOICES}
            chosen={period}
            onChoose={(chosen) =>
              change(
                chosen === OTHER_PERIOD ? { months: undefined, from: begin, to: end } : { months: chosen, from: undefined, to: undefined },
              )
            }
          />
          {region.control}
          <NamedChoice
            label="Brand"
            all="All brands"
            choices={toChoices(brands?.map(({ slug, brandName }) => ({ slug, name: brandName })))}
            chosen={filter.filter.brand}
            onChoose={(brand) => change({ brand })}
          />
          <NamedChoice
            label="Charter"
            all="All charters"
            choices={toChoices(charters)}
            chosen={filter.filter.charter}
            onChoose={(charter) => change({ charter })}
          />
          {type.control}
          <FilterChoice
            label="Topic"
            all="All topics"
            choices={INSIGHT_GROUPS}
            chosen={topic}
            onChoose={(chosen) => change({ topic: chosen })}
            remove={`Remove topic ${topic}`}
          />
          <NamedChoice
            label="Compared with"
            all="The period before"
            choices={[{ value: 'no', name: 'nothing' }]}
            chosen={isCompared ? undefined : 'no'}
            onChoose={(compare) => change({ compare })}
          />
        </Chips>
      </Filters>
      {period === OTHER_PERIOD ? <PeriodDays filter={filter} /> : null}
    </>
  )
}
