import { useParams } from '@tanstack/react-router'
import { lazy } from 'react'
import type { ReactNode } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { Section, WithAside } from '../../../platform/web/kit/Section.tsx'
import { LeaseBadge, SuggestedValues } from '../../../platform/web/record-features.tsx'
import { SiteLayout } from '../../sites/web/public/SiteLayout.tsx'
import type { FacilityInfo } from '../contract.ts'
import { FACILITY_FIELDS, FACILITY_SECTIONS, SHOWN_FACILITY_FIELDS } from '../fields.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'

/** The fields that are formatted. */
const formatFields = (facility: FacilityInfo, site: string): Partial<Record<keyof FacilityInfo, ReactNode>> => ({
  lease_start: facility.lease_start && formatDay(facility.lease_start),
  lease_end: facility.lease_end_open
    ? 'Open Ended'
    : facility.lease_end && (
        <>
          {formatDay(facility.lease_end)}
          <span className={`${layoutClasses.block} ${layoutClasses.topMargin4} ${layoutClasses.minHeight24}`}>
            <LeaseBadge site={site} />
          </span>
        </>
      ),
  phone_2: <PhoneLink phone={facility.phone_2} />,
  partnership: facility.partnership ? 'Yes' : 'No',
})

interface FacilitySectionProps {
  facility: FacilityInfo
  site: string
  siteId: string
  section: (typeof FACILITY_SECTIONS)[number]
}

const FacilitySection = ({ facility, site, siteId, section }: FacilitySectionProps) => {
  const shown = formatFields(facility, site)
  return (
    <Section title={section} ruled>
      <Facts
        variant="columns"
        facts={SHOWN_FACILITY_FIELDS.filter((field) => FACILITY_FIELDS[field].section === section).map((field) => ({
          label: FACILITY_FIELDS[field].label,
          isWide: FACILITY_FIELDS[field].control === 'multiline',
          value: field in shown ? shown[field] : facility[field],
          note: <SuggestedValues kind="site" _id={siteId} paths={[`facility_info.${field}`]} />,
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
    <SiteLayout slug={slug} page="Facility" editLabel="Edit" form={FacilityForm} getDraftKey={(site) => `facility ${site._id}`}>
      {({ _id, slug: site, facility_info: facility }) => (
        <WithAside aside={<LastChanged what="Facility" updatedAt={facility.updatedAt} updatedBy={facility.updatedBy} />}>
          {FACILITY_SECTIONS.map((section) => (
            <FacilitySection key={section} facility={facility} site={site} siteId={_id} section={section} />
          ))}
        </WithAside>
      )}
    </SiteLayout>
  )
}
