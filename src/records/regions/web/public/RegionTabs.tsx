import { useLocation } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ReactNode } from 'react'

import { buildPagePath } from '../../../../contract/pages.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { HeadActions } from '../../../../platform/web/kit/HeadAction.tsx'
import { Tabs } from '../../../../platform/web/kit/Tabs.tsx'
import { FavoriteToggle, HistoryButton } from '../../../../platform/web/record-features.tsx'
import type { Region } from '../../contract.ts'
import { regionHistory } from '../../history.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './RegionTabs.module.css'

/** The actions in the header of a region's pages. */
export const RegionActions = ({ region: { _id, name }, children }: { region: Pick<Region, '_id' | 'name'>; children?: ReactNode }) => (
  <HeadActions>
    <FavoriteToggle kind="region" _id={_id} />
    <HistoryButton kind="region" parts={regionHistory} _id={_id} name={name} />
    {children}
  </HeadActions>
)

/** The tabs of a region's pages. */
export const RegionTabs = ({ region: { slug, name } }: { region: Pick<Region, 'slug' | 'name'> }) => (
  <div className={`${layoutClasses.bottomMargin20} ${classes.tabs}`} data-print="no">
    <Tabs
      label={`Pages of ${name}`}
      tabs={[
        { label: 'Sites', to: getRecordPath({ kind: 'region', slug }) },
        { label: 'Org chart', to: buildPagePath('/region/$id/org', slug) },
        { label: 'Call list', to: buildPagePath('/region/$id/calls', slug) },
        { label: 'Coverage', to: '/coverage', search: { region: slug } },
      ]}
    />
  </div>
)

const getRegionSlug = (path: string): string | undefined => /^\/region\/([^/]+)/.exec(path)?.[1]

/** The back link, past the other pages of the region. */
export const RegionBack = () => {
  const region = useLocation({ select: (location) => getRegionSlug(location.pathname) })
  const isOwnPage = useCallback((path: string) => getRegionSlug(path) === region, [region])
  return (
    <div className={layoutClasses.bottomMargin12} data-print="no">
      <BackLink to="/regions" label="Regions & States" isOwnPage={isOwnPage} />
    </div>
  )
}
