import { Select } from '@mantine/core'
import { useMemo } from 'react'

import { useCharters } from '../../charters/web/queries.ts'
import { useSiteSummaries } from './queries.ts'

/** The maximum number of matches shown while typing. */
const MAX_HITS = 30

interface CharterOrSitePickerProps {
  error: string | undefined
  onChoose: (chosen: { charter?: string; site?: string }) => void
}

/** Selects a charter or a site by name. */
export const CharterOrSitePicker = ({ error, onChoose }: CharterOrSitePickerProps) => {
  const { data: charters = [] } = useCharters()
  const { data: sites = [] } = useSiteSummaries()
  const groups = useMemo(
    () => [
      { group: 'Charters', items: charters.map(({ _id, name }) => ({ value: `charter ${_id}`, label: name })) },
      { group: 'Sites', items: sites.map(({ _id, displayName }) => ({ value: `site ${_id}`, label: displayName })) },
    ],
    [charters, sites],
  )
  return (
    <Select
      label="Charter or site"
      required
      searchable
      data={groups}
      limit={MAX_HITS}
      allowDeselect={false}
      placeholder="Type to find"
      nothingFoundMessage="Nothing found"
      comboboxProps={{ withinPortal: true, shadow: 'md' }}
      error={error}
      onChange={(chosen) => {
        const [type, _id = ''] = chosen?.split(' ') ?? []
        onChoose(type === 'charter' ? { charter: _id } : type === 'site' ? { site: _id } : {})
      }}
    />
  )
}
