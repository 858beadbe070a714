import { useMemo } from 'react'

import { ActivityPage } from './features/record-tools/activity/web/ActivityPage.tsx'
import { brandHistory } from './features/records/brands/history.ts'
import { affairHistory } from './features/records/charter-affairs/history.ts'
import { charterHistory } from './features/records/charters/history.ts'
import { personHistory } from './features/records/people/history.ts'
import { regionHistory } from './features/records/regions/history.ts'
import { useRegions } from './features/records/regions/web/queries.ts'
import { siteHistory } from './features/records/sites/history.ts'

const PARTS = {
  ...siteHistory,
  ...affairHistory,
  ...charterHistory,
  ...brandHistory,
  ...personHistory,
  ...regionHistory,
  permission: {
    name: 'the administrator',
    title: 'Administrators',
    labels: { name: 'Name', azureID: 'Email', accessLevel: 'Access level' },
  },
}

/** `/activity`, with what it shows of records. */
export const Activity = () => {
  const { data: regions } = useRegions()
  return (
    <ActivityPage
      records={useMemo(() => ({ parts: PARTS, regions: (regions ?? []).toSorted((a, b) => a.name.localeCompare(b.name)) }), [regions])}
    />
  )
}
