import { useLocation } from '@tanstack/react-router'
import { useCallback } from 'react'

import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { Tabs } from '../../../platform/web/kit/Tabs.tsx'
import { FavouritePicker } from '../../favourites/web/FavouritePicker.tsx'
import { HistoryCard } from '../../history/web/HistoryCard.tsx'
import type { Region } from '../contract.ts'

import classes from './RegionTabsCard.module.css'

/** The pages of a region, its star and its history. */
export const RegionTabs = ({ region: { _id, slug, name } }: { region: Pick<Region, '_id' | 'slug' | 'name'> }) => (
  <div className={classes.tabs} data-print="no">
    <Tabs
      label={`Pages of ${name}`}
      tabs={[
        { label: 'Sites', to: `/region/${slug}` },
        { label: 'Org chart', to: `/region/${slug}/org` },
        { label: 'Call list', to: `/region/${slug}/calls` },
        { label: 'Coverage', to: '/coverage', search: { region: slug } },
      ]}
    />
    <FavouritePicker kind="region" _id={_id} />
    <HistoryCard kind="region" _id={_id} name={name} brief />
  </div>
)

const regionOf = (path: string): string | undefined => /^\/region\/([^/]+)/.exec(path)?.[1]

/** Back to before the pages of a region. */
export const RegionBack = () => {
  const region = useLocation({ select: (location) => regionOf(location.pathname) })
  const isOwnPage = useCallback((path: string) => regionOf(path) === region, [region])
  return (
    <div className={classes.back}>
      <BackLink to="/regions" label="Regions & States" isOwnPage={isOwnPage} />
    </div>
  )
}
