import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useRef } from 'react'

import type { PersonReference } from '../../../contract/references.ts'
import type { RoleOfSites } from '../../../contract/roles.ts'
import { isActive } from '../../../contract/status.ts'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import type { CoveredSite } from '../contract.ts'
import { listVacantRoles, listHolders } from '../rules.ts'
import type { BoardItem } from './board-items.ts'
import { toWord } from './reorganize-address.ts'
import { VacantRole } from './VacantRole.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './BoardTable.module.css'

/** Up to this many rows are not virtualized, so that the browser's own search finds them. */
const MAX_UNVIRTUALIZED = 100
const SITE_HEIGHT = 65
const REGION_HEIGHT = 41
/** Minimum column widths in pixels. */
const SITE_COLUMN_WIDTH = 248
const MIN_ROLE_WIDTH = 112
/** Up to this many roles leave space for wide names of sites. */
const MAX_WIDE_ROLES = 3

/** The people in a role. */
export const Holders = ({ people }: { people: readonly PersonReference[] }) =>
  people.map((person) => (
    <Link
      key={person._id}
      to="/staff/$slug"
      params={{ slug: person.slug }}
      className={`${textClasses.quietLink} ${layoutClasses.block} ${classes.person}`}
    >
      {person.name}
    </Link>
  ))

/** City and phone of a site, with its status if it is not active. */
export const SiteLine = ({ site }: { site: CoveredSite }) => (
  <span className={`${layoutClasses.wrappingRow} ${textClasses.caption} ${layoutClasses.topMargin2} ${classes.line}`}>
    {site.status === 'ACTIVE' ? null : <StatusWord status={site.status} />}
    {[site.city, site.state].filter(Boolean).length > 0 ? <span>{[site.city, site.state].filter(Boolean).join(', ')}</span> : null}
    {site.phone && isActive(site.status) ? <PhoneLink phone={site.phone} /> : null}
  </span>
)

const SiteCells = ({ site, roles, mayFill }: { site: CoveredSite } & Pick<BoardTableProps, 'roles' | 'mayFill'>) => {
  const vacant = listVacantRoles(site, roles)
  return (
    <>
      <th scope="row" className={classes.site}>
        <span className={`${layoutClasses.topRow} ${layoutClasses.spaceBetween} ${layoutClasses.alignBaseline}`}>
          <Link
            to="/location/$slug"
            params={{ slug: site.slug }}
            className={`${textClasses.quietLink} ${textClasses.strong} ${textClasses.bodyFont} ${classes.name}`}
          >
            {site.displayName}
          </Link>
          {vacant.length > 0 && roles.length > 1 ? (
            <span className={`${textClasses.label} ${layoutClasses.rigid} ${textClasses.wait} ${classes.count}`}>
              {vacant.length} vacant
            </span>
          ) : null}
        </span>
        <SiteLine site={site} />
      </th>
      {roles.map(({ name }) => {
        const isVacant = vacant.includes(name)
        return (
          <td key={name} data-empty={isVacant || undefined}>
            {isVacant ? <VacantPosition site={site} role={name} mayFill={mayFill} /> : <Holders people={listHolders(site, name)} />}
          </td>
        )
      })}
    </>
  )
}

interface VacantPositionProps {
  site: CoveredSite
  role: string
  /** The text, where the position on the page does not identify the role. */
  label?: string
  mayFill: boolean
}

/** A vacant position; for people who may fill it, a link to where they do. */
export const VacantPosition = ({ site, role, label, mayFill }: VacantPositionProps) => {
  const mark = label === undefined ? <VacantRole /> : <VacantRole role={label} />
  return mayFill ? (
    <Link
      to="/reorganize"
      search={{ mode: 'fill', role, only: toWord(site.slug) }}
      aria-label={`Vacant: fill ${role} of ${site.displayName}`}
    >
      {mark}
    </Link>
  ) : (
    mark
  )
}

interface RoleHeadProps {
  role: string
  vacant: number
}

/** The header of a role's column with its number of vacancies, a link that filters the board. */
const RoleHead = ({ role, vacant }: RoleHeadProps) => (
  <th scope="col">
    <span className={`${textClasses.label} ${layoutClasses.block} ${classes.role}`}>{role}</span>
    {vacant === 0 ? (
      <span className={`${textClasses.dimmed} ${classes.filled}`}>All filled</span>
    ) : (
      <Link
        to="."
        search={(before: Record<string, string>) => ({ ...before, role, empty: '1' })}
        resetScroll={false}
        className={`${textClasses.strong} ${textClasses.underlined} ${textClasses.wait} ${classes.vacancies}`}
        aria-label={`${vacant.toLocaleString('en-US')} vacant: show sites with no ${role}`}
      >
        {vacant.toLocaleString('en-US')} vacant
      </Link>
    )}
  </th>
)

interface BoardTableProps {
  items: readonly BoardItem[]
  roles: readonly RoleOfSites[]
  vacant: ReadonlyMap<string, number>
  /** Whether vacant positions are links to where they are filled. */
  mayFill: boolean
  /** Printed pages contain all rows. */
  printing: boolean
}

/**
 * Sites as rows, roles as columns. It scrolls in its own container, because that keeps both its header and its first column visible; only the rows
 * near the viewport are rendered.
 */
export const BoardTable = memo(({ items, roles, vacant, mayFill, printing }: BoardTableProps) => {
  const room = useRef<HTMLDivElement>(null)
  const isUnvirtualized = printing || items.length <= MAX_UNVIRTUALIZED
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => room.current,
    estimateSize: (at) => (items[at]?.kind === 'region' ? REGION_HEIGHT : SITE_HEIGHT),
    getItemKey: (at) => items[at]?.key ?? at,
    overscan: 5,
  })
  const virtualRows = virtual.getVirtualItems()
  const drawn = isUnvirtualized ? items.map((_, index) => index) : virtualRows.map(({ index }) => index)
  const before = isUnvirtualized ? 0 : (virtualRows[0]?.start ?? 0)
  const after = isUnvirtualized ? 0 : virtual.getTotalSize() - (virtualRows.at(-1)?.end ?? 0)

  return (
    <div
      ref={room}
      className={`${layoutClasses.framed} ${classes.container}`}
      role="region"
      aria-label="Coverage"
      // A scrollable region must be focusable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-scroll-restoration-id="coverage"
    >
      <table
        className={`${layoutClasses.fixedTable} ${classes.table}`}
        aria-label="Sites by role"
        aria-rowcount={items.length + 1}
        style={{ minWidth: SITE_COLUMN_WIDTH + roles.length * MIN_ROLE_WIDTH }}
      >
        <colgroup>
          <col style={{ width: roles.length <= MAX_WIDE_ROLES ? '45%' : SITE_COLUMN_WIDTH }} />
          {roles.map(({ name }) => (
            <col key={name} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={classes.corner}>
              Site
            </th>
            {roles.map(({ name }) => (
              <RoleHead key={name} role={name} vacant={vacant.get(name) ?? 0} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <tr aria-hidden className={classes.space} style={{ height: before }} /> : null}
          {drawn.map((index) => {
            const item = items[index]
            if (!item) return null
            return (
              <tr
                key={item.key}
                ref={isUnvirtualized ? undefined : virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className={item.kind === 'region' ? classes.region : undefined}
              >
                {item.kind === 'region' ? (
                  <th scope="rowgroup" colSpan={roles.length + 1}>
                    <span className={classes.regionLabel}>
                      {item.name}{' '}
                      <span className={`${textClasses.caption} ${textClasses.regular} ${classes.counts}`}>{item.countsText}</span>
                    </span>
                  </th>
                ) : (
                  <SiteCells site={item.site} roles={roles} mayFill={mayFill} />
                )}
              </tr>
            )
          })}
          {after > 0 ? <tr aria-hidden className={classes.space} style={{ height: after }} /> : null}
        </tbody>
      </table>
    </div>
  )
})
BoardTable.displayName = 'BoardTable'
