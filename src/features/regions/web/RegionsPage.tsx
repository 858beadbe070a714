import { IconMap2, IconMapPin } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'

import { isActive } from '../../../platform/contract/status.ts'
import { useAddress } from '../../../platform/web/address.ts'
import { CardBones } from '../../../platform/web/list/Bones.tsx'
import { CardGrid } from '../../../platform/web/list/CardGrid.tsx'
import { Filters, MatchCount, SearchField } from '../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../platform/web/list/NothingMatches.tsx'
import { useMatching, useTyped } from '../../../platform/web/list/useTyped.ts'
import type { Region } from '../contract.ts'
import { useRegions } from './queries.ts'

import classes from '../../../platform/web/list/IconCard.module.css'

const none: readonly Region[] = []
const textsOf = ({ name }: Region) => [name]
const heightOf = (_width: number, rem: number) => 6.5 * rem
const sitesOf = (count: number, which: string): string => `${count.toLocaleString('en-US')} ${which} ${count === 1 ? 'site' : 'sites'}`

const RegionCard = ({ region }: { region: Region }) => {
  const active = region.sites.filter((site) => isActive(site.status)).length
  return (
    <article className={classes.card}>
      <span className={classes.tile}>
        <IconMapPin size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={classes.words}>
        <Link to="/region/$id" params={{ id: region.slug }} className={classes.name}>
          <span>{region.name}</span>
        </Link>
        <p className={classes.line}>{sitesOf(active, 'active')}</p>
        <p className={classes.line}>{sitesOf(region.sites.length - active, 'closed')}</p>
      </div>
    </article>
  )
}

/** `/regions`: the regions, each with how many active and closed sites it has. */
export const RegionsPage = () => {
  const query = useRegions()
  const [, change] = useAddress()
  const typed = useTyped()
  const regions = useMemo(() => (query.data ?? none).toSorted((a, b) => a.name.localeCompare(b.name, 'en')), [query.data])
  const shown = useMatching(regions, textsOf, typed.wanted)
  const sites = useMemo(() => regions.reduce((sum, region) => sum + region.sites.length, 0), [regions])

  return (
    <>
      <ListHead
        title="Regions & States"
        summary={
          query.data &&
          `${regions.length} ${regions.length === 1 ? 'region' : 'regions'} with ${sites.toLocaleString('en-US')} ${sites === 1 ? 'site' : 'sites'}`
        }
        failed={query.isError}
      />
      <Filters>
        <SearchField label="Name of a region" typed={typed} />
      </Filters>
      <MatchCount matching={query.data && shown.length} all={query.data?.length} />
      <LoadedList query={query} skeleton={<CardBones least={16} />}>
        {() =>
          shown.length > 0 ? (
            <CardGrid label="Regions" records={shown} keyOf={(region) => region._id} least={16} gap={[16, 12]} heightOf={heightOf}>
              {(region) => <RegionCard region={region} />}
            </CardGrid>
          ) : (
            <NothingMatches
              icon={IconMap2}
              title="No regions to display"
              noun={['region', 'regions']}
              all={regions.length}
              typed={typed.wanted.trim()}
              filter={null}
              hidden={[]}
              onClearSearch={() => change({ q: undefined })}
              onClearFilter={() => change({ q: undefined })}
            />
          )
        }
      </LoadedList>
    </>
  )
}
