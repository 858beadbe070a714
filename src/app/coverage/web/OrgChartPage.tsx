import { Button } from '@mantine/core'
import { IconSitemap } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { isActive } from '../../../contract/status.ts'
import { EmptyState } from '../../../platform/web/kit/EmptyState.tsx'
import { PrintButton } from '../../../platform/web/kit/PrintButton.tsx'
import { Chips, Filters, FilterToggle } from '../../../platform/web/list/Filters.tsx'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import type { CoveredSite } from '../contract.ts'
import { buildOrgChart } from '../rules.ts'
import { BranchItem, getAreaKey } from './OrgChart.tsx'
import { RegionSheet } from './RegionSheet.tsx'

const Chart = ({ sites, region }: { sites: readonly CoveredSite[]; region: string }) => {
  const [{ status }, change] = useSearchParams()
  const all = status === 'all'
  const branches = useMemo(() => buildOrgChart(all ? sites : sites.filter((site) => isActive(site.status))), [sites, all])
  const areas = useMemo(() => branches.flatMap((branch) => branch.areas.map((area) => getAreaKey(branch, area))), [branches])
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const anyOpen = areas.some((area) => !closed.has(area))
  const turn = (area: string) => {
    const next = new Set(closed)
    if (!next.delete(area)) next.add(area)
    setClosed(next)
  }
  return (
    <>
      <Filters>
        <Chips label="Filters">
          <FilterToggle label="Include closed sites" on={all} onToggle={(on) => change({ status: on ? 'all' : undefined })} />
        </Chips>
        {areas.length > 1 ? (
          <Button size="compact-sm" variant="subtle" onClick={() => setClosed(new Set(anyOpen ? areas : []))}>
            {anyOpen ? 'Collapse All Areas' : 'Expand All Areas'}
          </Button>
        ) : null}
      </Filters>
      {branches.length === 0 ? (
        <EmptyState icon={IconSitemap} title="No locations to display">
          <p>{sites.length === 0 ? `${region} has no sites.` : `${region} has no active sites.`}</p>
        </EmptyState>
      ) : (
        <ul aria-label={`Org chart of ${region}`}>
          {branches.map((branch) => (
            <BranchItem key={branch.vicePresident?._id ?? 'nobody'} branch={branch} closed={closed} onToggle={turn} />
          ))}
        </ul>
      )}
    </>
  )
}

/** `/region/{id}/org`: the leaders of a region, its areas and sites. */
export const OrgChartPage = () => {
  const [{ status }] = useSearchParams()
  return (
    <RegionSheet
      page="Org chart"
      of={status === 'all' ? 'active and closed sites' : 'active sites'}
      actions={<PrintButton />}
      summary={(sites) => {
        const active = sites.filter((site) => isActive(site.status)).length
        return `${active.toLocaleString('en-US')} active and ${(sites.length - active).toLocaleString('en-US')} closed sites`
      }}
    >
      {(sites, region) => <Chart sites={sites} region={region} />}
    </RegionSheet>
  )
}
