import { useParams } from '@tanstack/react-router'
import { lazy } from 'react'
import type { ReactNode } from 'react'

import { formatDay } from '../../../../platform/contract/dates.ts'
import { PhoneLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { Facts } from '../../../../platform/web/kit/Facts.tsx'
import { LastChanged } from '../../../../platform/web/kit/LastChanged.tsx'
import { Section, WithAside } from '../../../../platform/web/kit/Section.tsx'
import { SiteHeadCard } from '../../sites/web/SiteHeadCard.tsx'
import type { FacilityInfo } from '../contract.ts'
import { FACILITY_PARTS, facilityFieldNames, facilityFields } from '../rules.ts'

/** The fields that are shown as something else than their own text. */
const formatFields = (facility: FacilityInfo): Partial<Record<keyof FacilityInfo, ReactNode>> => ({
  lease_start: facility.lease_start && formatDay(facility.lease_start),
  lease_end: facility.lease_end_open ? 'Open Ended' : facility.lease_end && formatDay(facility.lease_end),
  phone_2: <PhoneLink phone={facility.phone_2} />,
  partnership: facility.partnership ? 'Yes' : 'No',
})

const FacilitySection = ({ facility, part }: { facility: FacilityInfo; part: (typeof FACILITY_PARTS)[number] }) => {
  const shown = formatFields(facility)
  return (
    <Section title={part} ruled>
      <Facts
        look="columns"
        facts={facilityFieldNames
          .filter((field) => facilityFields[field].part === part)
          .map((field) => ({
            label: facilityFields[field].label,
            wide: facilityFields[field].long,
            value: field in shown ? shown[field] : facility[field],
          }))}
      />
    </Section>
  )
}

const FacilityForm = lazy(() => import('./FacilityForm.tsx').then((module) => ({ default: module.FacilityForm })))

/** `/location/fac/{slug}`: lease and premises. */
export const FacilityPage = () => {
  const { slug = '' } = useParams({ strict: false })
  return (
    <SiteHeadCard slug={slug} page="Facility" form={{ label: 'Edit', getDraftKey: (site) => `facility ${site._id}`, View: FacilityForm }}>
      {({ facility_info: facility }) => (
        <WithAside aside={<LastChanged what="Facility" updatedAt={facility.updatedAt} updatedBy={facility.updatedBy} />}>
          {FACILITY_PARTS.map((part) => (
            <FacilitySection key={part} facility={facility} part={part} />
          ))}
        </WithAside>
      )}
    </SiteHeadCard>
  )
}
