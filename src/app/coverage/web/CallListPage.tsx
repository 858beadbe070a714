import { IconPhone } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'

import { isActive } from '../../../contract/status.ts'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { EmptyState } from '../../../platform/web/kit/EmptyState.tsx'
import { PrintButton } from '../../../platform/web/kit/PrintButton.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { Chips, Filters, FilterToggle } from '../../../platform/web/list/Filters.tsx'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import type { CoveredSite } from '../contract.ts'
import { listCallSites, listHolders } from '../rules.ts'
import { PeopleWithPhones } from './PeopleWithPhones.tsx'
import { RegionSheet } from './RegionSheet.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './CallList.module.css'

const Numbers = ({ site, title }: { site: CoveredSite; title: string }) => (
  <div>
    <PeopleWithPhones
      people={listHolders(site, title)}
      isVacant={site.vacant.includes(title)}
      className={`${layoutClasses.block} ${classes.holder}`}
      nameClassName={`${layoutClasses.block} ${classes.name}`}
    />
  </div>
)

const Row = ({ site }: { site: CoveredSite }) => (
  <tr>
    <th scope="row">
      <Link to="/location/$slug" params={{ slug: site.slug }} className={`${textClasses.quietLink} ${layoutClasses.block} ${classes.name}`}>
        {site.displayName}
      </Link>
      {isActive(site.status) ? null : <StatusWord status={site.status} />}
    </th>
    <td data-label="City">{[site.city, site.state].filter(Boolean).join(', ')}</td>
    <td data-label="Phone">
      <PhoneLink phone={site.phone} variant="row" />
    </td>
    <td data-label="Principal">
      <Numbers site={site} title="Principal" />
    </td>
    <td data-label="Student Relations Manager">
      <Numbers site={site} title="Student Relations Manager" />
    </td>
  </tr>
)

const List = ({ sites, region }: { sites: readonly CoveredSite[]; region: string }) => {
  const [{ status }, change] = useSearchParams()
  const all = status === 'all'
  const called = useMemo(() => listCallSites(sites, all), [sites, all])
  return (
    <>
      <Filters>
        <Chips label="Filters">
          <FilterToggle label="Include closed sites" on={all} onToggle={(on) => change({ status: on ? 'all' : undefined })} />
        </Chips>
      </Filters>
      {called.length === 0 ? (
        <EmptyState icon={IconPhone} title="No locations to display">
          <p>{sites.length === 0 ? `${region} has no sites.` : `${region} has no active sites.`}</p>
        </EmptyState>
      ) : (
        <table className={`${layoutClasses.fixedTable} ${layoutClasses.topMargin16} ${classes.list}`} aria-label={`Call list of ${region}`}>
          <thead>
            <tr>
              <th scope="col">Site</th>
              <th scope="col">City</th>
              <th scope="col">Phone</th>
              <th scope="col">Principal</th>
              <th scope="col">Student Relations Manager</th>
            </tr>
          </thead>
          <tbody>
            {called.map((site) => (
              <Row key={site._id} site={site} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** `/region/{id}/calls`: the phone numbers of a region, for printing. */
export const CallListPage = () => {
  const [{ status }] = useSearchParams()
  const all = status === 'all'
  return (
    <RegionSheet
      page="Call list"
      of={all ? 'active and closed sites' : 'active sites'}
      actions={<PrintButton />}
      summary={(sites) => {
        const count = listCallSites(sites, all).length
        return `${count.toLocaleString('en-US')} ${all ? '' : 'active '}${count === 1 ? 'site' : 'sites'}, by name`
      }}
    >
      {(sites, region) => <List sites={sites} region={region} />}
    </RegionSheet>
  )
}
