import { useMemo } from 'react'

import { useFieldInAddress } from '../../../platform/web/form/use-field-in-address.ts'
import { CharterDeadlinesBanner, SuggestedValues } from '../../../platform/web/record-features.tsx'
import type { CharterAffair, CharterWithAffair } from '../contract.ts'
import { toTextsByPath } from './affair-fields.ts'
import { AffairLayout } from './AffairLayout.tsx'
import { AffairSections } from './AffairSections.tsx'
import { CharterDifferences } from './public/CharterDifferencesCard.tsx'
import { RepeatedFields } from './RepeatedFields.tsx'
import { filterSections, buildSections } from './sections.ts'
import { useAffairFilter } from './use-affair-filter.ts'

import classes from './Affair.module.css'

/** The read-only sections. */
export const ReadAffair = ({ affair, charter }: { affair: CharterAffair; charter: CharterWithAffair }) => {
  const found = useAffairFilter()
  useFieldInAddress()
  const all = useMemo(() => buildSections(affair), [affair])
  const sections = useMemo(() => filterSections(all, found.filter), [all, found.filter])
  const texts = useMemo(() => toTextsByPath(affair), [affair])
  return (
    <AffairLayout sections={sections} found={found}>
      <div className={classes.notices}>
        <CharterDeadlinesBanner slug={charter.slug} />
        <CharterDifferences charter={charter} page="charter affair" />
        <RepeatedFields texts={texts} />
      </div>
      <AffairSections
        sections={sections}
        filter={found.filter}
        renderNote={(path) => <SuggestedValues kind="charter_affair" _id={charter._id} paths={[path]} />}
      />
    </AffairLayout>
  )
}
