import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { Problem } from '../contract/problem.ts'
import type { DeadlineRecords } from '../features/deadlines/deadlines/web/deadline-records.ts'
import { DeadlinesPage } from '../features/deadlines/deadlines/web/DeadlinesPage.tsx'
import { send } from '../platform/web/client.ts'
import { callQueryOptions, queryClient } from '../platform/web/queries.ts'
import { readCharterAffair, saveCharterAffair } from '../records/charter-affairs/contract.ts'
import { affairLabels, memberLabels, type SectionName, sectionTitles } from '../records/charter-affairs/fields.ts'
import { useCharters } from '../records/charters/web/queries.ts'
import { facilityLabels } from '../records/facility/fields.ts'
import { listPeople } from '../records/people/contract.ts'
import { PersonPicker } from '../records/people/web/public/PersonPicker.tsx'
import { useRegions } from '../records/regions/web/queries.ts'
import { CharterOrSitePicker } from '../records/sites/web/CharterOrSitePicker.tsx'
import { SiteFilter } from '../records/sites/web/SiteFilter.tsx'

const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = { ...affairLabels, authorizer_board_member: memberLabels }

const byName = <T extends { readonly name: string }>(records: readonly T[] = []): T[] =>
  records.toSorted((a, b) => a.name.localeCompare(b.name))

const textOf = (section: unknown, field: string): unknown => (section as Readonly<Record<string, unknown>> | undefined)?.[field]

/** How the deadline pages show records. */
const records: Omit<DeadlineRecords, 'choices' | 'charterOfSite' | 'chartersQuery'> = {
  PersonPicker: ({ chosen, onChoose, ...props }) => {
    const { data: people } = useQuery(callQueryOptions(listPeople))
    return (
      <PersonPicker
        {...props}
        chosen={people?.find(({ _id }) => _id === chosen?._id) ?? null}
        onChoose={(person) => onChoose(person && { _id: person._id, name: person.name })}
      />
    )
  },
  RecordPicker: CharterOrSitePicker,
  SitePicker: SiteFilter,
  getFieldLabel: ({ section, field }) => {
    const labels: Readonly<Record<string, string>> | undefined = section === null ? facilityLabels : LABELS[section]
    return labels?.[field ?? ''] ?? 'the record'
  },
  getSectionTitle: (section) => (Object.hasOwn(sectionTitles, section) ? sectionTitles[section as SectionName] : section),
  replaceText: async ({ charter, section, field }, before, text) => {
    const params = { id: charter }
    const [affair] = (await send(readCharterAffair, { params })).charter_affair_info
    if (!affair || textOf(affair[section as 'overview'], field) !== before)
      throw new Problem(412, 'This text was changed by someone else in the meantime')
    await send(saveCharterAffair, { params, body: { [section]: { [field]: text } }, version: affair.version })
    void queryClient.invalidateQueries()
  },
}

/** `/deadlines`, with the names and details of records. */
export const Deadlines = () => {
  const { data: regions } = useRegions()
  const chartersQuery = useCharters()
  const { data: charters } = chartersQuery
  const choices = useMemo(() => ({ regions: byName(regions), charters: byName(charters) }), [regions, charters])
  const charterOfSite = useMemo(
    () => new Map((charters ?? []).flatMap(({ _id, slug, name, sites }) => sites.map((site) => [site._id, { _id, slug, name }] as const))),
    [charters],
  )
  return (
    <DeadlinesPage
      records={useMemo(() => ({ ...records, choices, charterOfSite, chartersQuery }), [choices, charterOfSite, chartersQuery])}
    />
  )
}
