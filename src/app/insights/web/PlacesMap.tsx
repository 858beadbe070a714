import { useMemo } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { SitesMapCard } from '../../../records/map/web/public/SitesMapCard.tsx'
import { useMapArea } from '../../../records/map/web/queries.ts'
import { useRegions } from '../../../records/regions/web/queries.ts'
import { useSiteSummaries } from '../../../records/sites/web/queries.ts'
import type { Insight } from '../contract.ts'

/** The sites of an insight on the map of the directory, each with its day. */
export const PlacesMap = ({ insight }: { insight: Insight }) => {
  const map = useMapArea()
  const { data: summaries } = useSiteSummaries()
  const { data: regions } = useRegions()
  const sites = useMemo(() => {
    const days = new Map(insight.series.map(({ key, points }) => [key, points[0]?.on]))
    return (summaries ?? []).flatMap((site) => {
      const day = days.get(site._id)
      return day === undefined ? [] : [{ ...site, displayName: `${site.displayName}, ends ${formatDay(day)}` }]
    })
  }, [insight, summaries])
  const drawn = useMemo(() => (regions ?? []).map(({ slug, name }) => ({ slug, name, count: 0 })), [regions])
  return (
    <div data-map>
      <SitesMapCard
        label={insight.title}
        map={map}
        shown={sites}
        found={sites}
        whole={null}
        regions={drawn}
        list={`insight-${insight.name}`}
      />
    </div>
  )
}
