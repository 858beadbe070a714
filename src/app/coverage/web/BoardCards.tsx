import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'

import type { RoleOfSites } from '../../../contract/roles.ts'
import type { CoveredSite } from '../contract.ts'
import { listVacantRoles, listHolders } from '../rules.ts'
import type { BoardItem } from './board-items.ts'
import { Holders, SiteLine, VacantPosition } from './BoardTable.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import filters from '../../../platform/web/list/Filters.module.css'
import classes from './BoardCards.module.css'

const MAX_UNVIRTUALIZED = 60
const SITE_HEIGHT = 320
const REGION_HEIGHT = 52

interface SiteCardProps {
  site: CoveredSite
  roles: readonly RoleOfSites[]
  mayFill: boolean
  /** The heading level: h3 below the heading of a region, otherwise h2. */
  level: 'h2' | 'h3'
}

/** One site on a phone: vacant roles first, then the people. */
const SiteCard = ({ site, roles, mayFill, level: Heading }: SiteCardProps) => {
  const vacant = listVacantRoles(site, roles)
  const held = roles.map(({ name }) => name).filter((role) => listHolders(site, role).length > 0)
  return (
    <article className={`${layoutClasses.card} ${classes.card}`}>
      <Heading className={classes.name}>
        <Link to="/location/$slug" params={{ slug: site.slug }}>
          {site.displayName}
        </Link>
      </Heading>
      <SiteLine site={site} />
      {vacant.length > 0 ? (
        <>
          <p className={`${textClasses.label} ${classes.label}`}>
            {vacant.length === 1 ? '1 vacant position' : `${vacant.length} vacant positions`}
          </p>
          <ul className={`${layoutClasses.wrappingRow} ${layoutClasses.gap6}`}>
            {vacant.map((role) => (
              <li key={role}>
                <VacantPosition site={site} role={role} label={role} mayFill={mayFill} />
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {held.length > 0 ? (
        <dl className={`${layoutClasses.topMargin12} ${classes.positions}`}>
          {held.map((role) => (
            <div key={role}>
              <dt>{role}</dt>
              <dd>
                <Holders people={listHolders(site, role)} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </article>
  )
}

/** The number of vacancies of each role, as links that filter the board. */
const VacantCounts = ({ roles, vacant }: Pick<BoardCardsProps, 'roles' | 'vacant'>) => (
  <ul className={`${layoutClasses.spaced} ${classes.counts}`} aria-label="Vacant positions by role">
    {roles
      .map(({ name }) => name)
      .filter((role) => (vacant.get(role) ?? 0) > 0)
      .map((role) => (
        <li key={role}>
          <Link
            to="."
            search={(before: Record<string, string>) => ({ ...before, role, empty: '1' })}
            resetScroll={false}
            className={`${layoutClasses.inlineRow} ${layoutClasses.outlined} ${textClasses.small} ${filters.chip}`}
          >
            {role}: {(vacant.get(role) ?? 0).toLocaleString('en-US')} vacant
          </Link>
        </li>
      ))}
  </ul>
)

interface BoardCardsProps {
  items: readonly BoardItem[]
  roles: readonly RoleOfSites[]
  vacant: ReadonlyMap<string, number>
  mayFill: boolean
}

/** The board on a phone, virtualized. */
export const BoardCards = ({ items, roles, vacant, mayFill }: BoardCardsProps) => {
  const list = useRef<HTMLUListElement>(null)
  const level = items[0]?.kind === 'region' ? 'h3' : 'h2'
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const measure = () => setTop(element.getBoundingClientRect().top + window.scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: (at) => (items[at]?.kind === 'region' ? REGION_HEIGHT : SITE_HEIGHT),
    getItemKey: (at) => items[at]?.key ?? at,
    scrollMargin: top,
    overscan: items.length <= MAX_UNVIRTUALIZED ? items.length : 4,
    initialOffset: () => window.scrollY,
  })
  const drawn = virtual.getVirtualItems()
  const first = drawn[0]
  const last = drawn.at(-1)
  return (
    <>
      {roles.length > 1 ? <VacantCounts roles={roles} vacant={vacant} /> : null}
      <ul
        ref={list}
        aria-label="Coverage"
        className={classes.list}
        style={{
          paddingTop: first ? first.start - top : 0,
          paddingBottom: last ? Math.max(0, virtual.getTotalSize() - (last.end - top)) : virtual.getTotalSize(),
        }}
      >
        {drawn.map(({ index, key }) => {
          const item = items[index]
          if (!item) return null
          return (
            <li key={key} ref={virtual.measureElement} data-index={index} aria-setsize={items.length} aria-posinset={index + 1}>
              {item.kind === 'region' ? (
                <h2 className={`${layoutClasses.topMargin8} ${classes.region}`}>
                  {item.name} <span>{item.countsText}</span>
                </h2>
              ) : (
                <SiteCard site={item.site} roles={roles} mayFill={mayFill} level={level} />
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
