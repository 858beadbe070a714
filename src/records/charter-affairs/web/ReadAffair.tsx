import { useMemo } from 'react'

import { useFieldInAddress } from '../../../platform/web/form/use-field-in-address.ts'
import { CharterDeadlinesBanner } from '../../../platform/web/record-features.tsx'
import type { CharterAffair } from '../contract.ts'
import { toTextsByPath } from './affair-fields.ts'
import { AffairLayout } from './AffairLayout.tsx'
import { AffairSections } from './AffairSections.tsx'
import { RepeatedFields } from './RepeatedFields.tsx'
import { filterSections, buildSections } from './sections.ts'
import { useAffairFilter } from './use-affair-filter.ts'

/** The read-only sections. */
export const ReadAffair = ({ affair, slug }: { affair: CharterAffair; slug: string }) => {
  const found = useAffairFilter()
  useFieldInAddress()
  const all = useMemo(() => buildSections(affair), [affair])
  const sections = useMemo(() => filterSections(all, found.filter), [all, found.filter])
  const texts = useMemo(() => toTextsByPath(affair), [affair])
  return (
    <AffairLayout sections={sections} found={found}>
      <CharterDeadlinesBanner slug={slug} />
      <RepeatedFields texts={texts} />
      <AffairSections sections={sections} filter={found.filter} />
    </AffairLayout>
  )
}
