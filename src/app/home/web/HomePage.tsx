import {
  IconBuildingPlus,
  IconDownload,
  IconHeartHandshake,
  IconInbox,
  IconMap2,
  IconUserPlus,
  IconUserShield,
  IconUserStar,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'

import type { ResponseOf } from '../../../contract/call.ts'
import { BROWSE_LEVEL, can, type Capability } from '../../../contract/capabilities.ts'
import { formatCount, type Noun } from '../../../contract/format.ts'
import { PAGES } from '../../../contract/pages.ts'
import { LIST_PAGES, RECORD_NOUNS } from '../../../contract/records.ts'
import { FavoritesCard } from '../../../features/finding/favorites/web/public/FavoritesCard.tsx'
import { useListsSettled } from '../../../features/finding/favorites/web/queries.ts'
import { ViewsCard } from '../../../features/finding/saved-views/web/public/ViewsCard.tsx'
import { NewsCard } from '../../../features/operations/news/web/public/NewsCard.tsx'
import { ServerStateCard } from '../../../features/operations/server-state/web/public/ServerStateCard.tsx'
import { useCan, useUser } from '../../../platform/web/caller.ts'
import { listDrafts } from '../../../platform/web/form/drafts.ts'
import { getRecordIcon } from '../../../platform/web/kit/RecordMark.tsx'
import { useTitle } from '../../../platform/web/title.ts'
import { PinnedInsights } from '../../insights/web/public/PinnedInsights.tsx'
import { SetupCard } from '../../setup/web/public/SetupCard.tsx'
import { COUNTED_KINDS, type readCounts } from '../contract.ts'
import type { Home } from '../response.ts'
import { HeroSearch } from './HeroSearch.tsx'
import { HomeSkeleton } from './HomeSkeleton.tsx'
import { hasNeeds } from './needs.ts'
import { NothingNeeded } from './NothingNeeded.tsx'
import { useCounts, useHome } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './HomePage.module.css'

// Loaded only if needed: with the texts and forms of every record kind, it is as large as the rest of the page.
const NeedsYou = lazy(() => import('./NeedsYou.tsx').then((module) => ({ default: module.NeedsYou })))
const LatestActivity = lazy(() => import('./LatestActivity.tsx').then((module) => ({ default: module.LatestActivity })))
const DeadlinesCard = lazy(() =>
  import('../../../features/deadlines/deadlines/web/public/DeadlinesCard.tsx').then((module) => ({ default: module.DeadlinesCard })),
)
const DisabledPeopleSection = lazy(() =>
  import('../../departures/web/public/DisabledPeople.tsx').then((module) => ({ default: module.DisabledPeopleSection })),
)

interface TileLink {
  readonly title: string
  readonly to: string
  readonly icon: Icon
}
interface CountedTile extends TileLink {
  readonly counts: keyof ResponseOf<typeof readCounts>
  readonly noun: Noun
}

/** The tiles of the home page. */
const COUNTED_TILES: readonly CountedTile[] = [
  ...COUNTED_KINDS.map((kind) => ({
    title: PAGES[LIST_PAGES[kind]].name,
    to: LIST_PAGES[kind],
    icon: kind === 'region' ? IconMap2 : getRecordIcon(kind),
    counts: RECORD_NOUNS[kind][1],
    noun: kind === 'region' ? (['state', 'states'] as const) : RECORD_NOUNS[kind],
  })),
  { title: 'Leadership', to: '/leadership', icon: IconUserStar, counts: 'leadership', noun: RECORD_NOUNS.person },
  { title: 'Student Support', to: '/support', icon: IconHeartHandshake, counts: 'studentSupport', noun: RECORD_NOUNS.person },
]

const DOWNLOADS = { title: 'Excel Downloads', to: '/downloads', icon: IconDownload, about: 'Workbooks' } as const
/** Tiles for administrators. */
const adminTiles = [
  { title: 'Add Staff Member', to: '/add_staff', icon: IconUserPlus, about: 'From HR', capability: 'manage the network' },
  { title: 'Add Resource Center', to: '/add_location', icon: IconBuildingPlus, about: 'A new site', capability: 'edit a site' },
  { title: 'Requests', to: '/requests', icon: IconInbox, about: 'Change and support requests', capability: 'answer requests' },
  { title: 'Permissions', to: '/permissions', icon: IconUserShield, about: 'Manage administrators', capability: 'manage administrators' },
] as const satisfies readonly { capability: Capability; [part: string]: unknown }[]

const Tile = ({ title, to, icon: IconComponent, about }: TileLink & { about: string }) => (
  <li>
    <Link
      to={to}
      className={`${layoutClasses.card} ${layoutClasses.shadowOnHover} ${layoutClasses.row} ${textClasses.textColor} ${classes.tile}`}
    >
      <span className={`${layoutClasses.centered} ${layoutClasses.rigidFlex} ${layoutClasses.tintGround} ${classes.icon}`}>
        <IconComponent size={20} stroke={1.75} aria-hidden />
      </span>
      <span className={layoutClasses.column}>
        <span className={textClasses.strong}>{title}</span>
        <span className={`${textClasses.hint} ${classes.count}`}>{about}</span>
      </span>
    </Link>
  </li>
)

const Tiles = () => {
  const user = useUser()
  const level = user?.accessLevel ?? BROWSE_LEVEL
  const { data: counts } = useCounts()
  return (
    <>
      <h2 id="browse" className={layoutClasses.bottomMargin12}>
        Browse
      </h2>
      <ul className={`${layoutClasses.grid} ${classes.tiles}`} aria-labelledby="browse">
        {COUNTED_TILES.map(({ counts: key, noun, ...tile }) => (
          <Tile key={tile.to} {...tile} about={counts ? formatCount(counts[key], noun) : '\u00a0'} />
        ))}
        {[DOWNLOADS, ...adminTiles.filter(({ capability }) => can(level, capability))].map(({ title, to, icon, about }) => (
          <Tile key={to} title={title} to={to} icon={icon} about={about} />
        ))}
      </ul>
    </>
  )
}

const SEEN_ANSWERS = 'homeroom.seen-answers'
const readSeen = (): string[] => JSON.parse(localStorage.getItem(SEEN_ANSWERS) ?? '[]') as string[]

/** Answers that the user has not dismissed on this device. */
const useUnseenAnswers = (home: Home | undefined) => {
  const [seen, setSeen] = useState(readSeen)
  const first = home?.answers.first.filter(({ _id }) => !seen.includes(_id)) ?? []
  const count = home ? home.answers.count - (home.answers.first.length - first.length) : 0
  const see = (_id: string) => {
    const next = [...seen, _id].slice(-50)
    localStorage.setItem(SEEN_ANSWERS, JSON.stringify(next))
    setSeen(next)
  }
  return { answers: { first, count: first.length === 0 ? 0 : count }, see }
}

export const HomePage = () => {
  useTitle('Home')
  const isSettled = useListsSettled()
  const mayManage = useCan('manage deadlines')
  const mayEditPeople = useCan('edit a person')
  const { data, isPending } = useHome()
  const [drafts, setDrafts] = useState(listDrafts)
  const { answers, see } = useUnseenAnswers(data)
  const home = data && { ...data, answers }
  const isNeeded = home !== undefined && hasNeeds({ home, drafts })
  const latest = home && home.changes.entries.length > 0 ? <LatestActivity {...home.changes} /> : null
  const isLoaded = isSettled && !isPending
  const hasNoDeadlines = home?.deadlines.count === 0 && home.deadlines.next === null
  return (
    <>
      <ServerStateCard />
      <SetupCard />
      <NewsCard />
      <HeroSearch />
      {isLoaded ? null : <HomeSkeleton />}
      <Suspense fallback={isLoaded ? <HomeSkeleton /> : null}>
        <div hidden={!isLoaded}>
          {home && isNeeded ? (
            <div className={classes.columns}>
              <NeedsYou home={home} drafts={drafts} onSeen={see} onDrafts={() => setDrafts(listDrafts())} />
              <aside className={layoutClasses.shrinkable} aria-label="Lately">
                {latest}
                <FavoritesCard />
              </aside>
            </div>
          ) : (
            <>
              {home ? <NothingNeeded deadlines={home.deadlines} /> : null}
              <FavoritesCard />
              {latest}
            </>
          )}
          <div className={classes.browse} data-small={isNeeded || undefined}>
            <Tiles />
          </div>
          {/* Content that is loaded later comes last, so that nothing moves when it appears. */}
          {mayEditPeople ? <DisabledPeopleSection /> : null}
          <Suspense>
            <PinnedInsights />
          </Suspense>
          <ViewsCard />
          {mayManage && hasNoDeadlines ? <DeadlinesCard title="Next deadlines" filter={{}} /> : null}
        </div>
      </Suspense>
    </>
  )
}
