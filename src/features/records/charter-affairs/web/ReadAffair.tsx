import { useMemo } from 'react'

import type { CharterAffair } from '../contract.ts'
import { AffairLayout } from './AffairLayout.tsx'
import { AffairSections } from './AffairSections.tsx'
import { textsByPath } from './affairValues.ts'
import { RepeatedFields } from './RepeatedFields.tsx'
import { filtered, sectionsOf } from './sections.ts'
import { useAffairFilter } from './useAffairFilter.ts'

/** The eight sections as they are read. */
export const ReadAffair = ({ affair }: { affair: CharterAffair }) => {
  const found = useAffairFilter()
  const all = useMemo(() => sectionsOf(affair), [affair])
  const sections = useMemo(() => filtered(all, found.filter), [all, found.filter])
  const texts = useMemo(() => textsByPath(affair), [affair])
  return (
    <AffairLayout sections={sections} found={found}>
      <RepeatedFields texts={texts} />
      <AffairSections sections={sections} filter={found.filter} />
    </AffairLayout>
  )
}
