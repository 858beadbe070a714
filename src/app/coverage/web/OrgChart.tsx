import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'

import { formatCount } from '../../../contract/format.ts'
import type { PersonReference } from '../../../contract/references.ts'
import { Avatar, VacantAvatar } from '../../../platform/web/kit/Avatar.tsx'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import type { CoveredSite } from '../contract.ts'
import type { ChartArea, OrgBranch, ChartSite } from '../rules.ts'
import { SiteLine } from './BoardTable.tsx'
import { PeopleWithPhones } from './PeopleWithPhones.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './OrgChart.module.css'

export const getAreaKey = (branch: OrgBranch, area: ChartArea): string =>
  `${branch.vicePresident?._id ?? 'nobody'} ${area.superintendent?._id ?? 'nobody'}`

const People = ({ people }: { people: readonly PersonReference[] }) =>
  people.map((person, at) => (
    <span key={person._id}>
      {at > 0 ? ', ' : null}
      <TextLink to="/staff/$slug" params={{ slug: person.slug }}>
        {person.name}
      </TextLink>
    </span>
  ))

const Position = ({ site, title, people }: { site: CoveredSite; title: string; people: readonly PersonReference[] }) => (
  <div className={classes.position}>
    <dt>{title}</dt>
    <dd>
      <PeopleWithPhones
        people={people}
        isVacant={site.vacant.includes(title)}
        className={`${layoutClasses.wrappingRow} ${classes.holder}`}
        nameClassName={classes.person}
      />
    </dd>
  </div>
)

const Site = ({ entry: { site, principals, managers, also, otherVicePresidents } }: { entry: ChartSite }) => (
  <li className={`${layoutClasses.breakable} ${layoutClasses.lineAbove} ${layoutClasses.grid} ${classes.site}`}>
    <div className={classes.info}>
      <h4>
        <Link to="/location/$slug" params={{ slug: site.slug }} className={`${textClasses.quietLink} ${classes.name}`}>
          {site.displayName}
        </Link>
      </h4>
      <SiteLine site={site} />
      {also.length > 0 ? (
        <p className={`${textClasses.caption} ${layoutClasses.topMargin2} ${classes.note}`}>
          Also reports to <People people={also} />
        </p>
      ) : null}
      {otherVicePresidents ? (
        <p className={`${textClasses.caption} ${layoutClasses.topMargin2} ${classes.note}`}>
          {otherVicePresidents.length === 0 ? (
            'No Regional Vice President'
          ) : (
            <>
              Regional Vice President: <People people={otherVicePresidents} />
            </>
          )}
        </p>
      ) : null}
    </div>
    <dl className={`${layoutClasses.grid} ${classes.positions}`}>
      <Position site={site} title="Principal" people={principals} />
      <Position site={site} title="Student Relations Manager" people={managers} />
    </dl>
  </li>
)

interface LeaderProps {
  title: string
  person: PersonReference | null
  /** Heading level: h2 for a Regional Vice President, h3 below. */
  level: 'h2' | 'h3'
  sites: number
}

const Leader = ({ title, person, level: Heading, sites }: LeaderProps) => (
  <div className={`${layoutClasses.iconAndText} ${layoutClasses.gap14} ${classes.leader}`}>
    {person ? <Avatar name={person.name} size={Heading === 'h2' ? 48 : 40} /> : <VacantAvatar size={Heading === 'h2' ? 48 : 40} />}
    <div className={layoutClasses.content}>
      <Heading className={classes.heading}>
        {person ? (
          <Link to="/staff/$slug" params={{ slug: person.slug }} className={`${textClasses.quietLink} ${classes.name}`}>
            {person.name}
          </Link>
        ) : (
          `No ${title}`
        )}
      </Heading>
      <div className={`${textClasses.note} ${classes.line}`}>
        {person ? `${title}, ` : null}
        {formatCount(sites, 'site')}
        {person ? (
          <>
            {' · '}
            <PhoneLink phone={person.phone} variant="row" />
          </>
        ) : null}
      </div>
    </div>
  </div>
)

const AreaItem = ({ area, isOpen, onToggle }: { area: ChartArea; isOpen: boolean; onToggle: () => void }) => {
  const id = useId()
  const superintendent = area.superintendent?.name ?? 'No Area Superintendent'
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <li className={`${layoutClasses.positioned} ${classes.area}`}>
      <div className={`${layoutClasses.row} ${layoutClasses.spaceBetween} ${layoutClasses.bottomPadding8} ${classes.areaHead}`}>
        <Leader title="Area Superintendent" person={area.superintendent} level="h3" sites={area.sites.length} />
        <button
          type="button"
          className={`${layoutClasses.centered} ${textClasses.dimmed} ${layoutClasses.hoverable} ${classes.toggle}`}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`Sites of ${superintendent}`}
          onClick={onToggle}
          data-print="no"
        >
          <Chevron size={18} stroke={1.75} aria-hidden />
        </button>
      </div>
      <ul id={id} className={classes.sites} data-closed={isOpen ? undefined : true} aria-label={`Sites of ${superintendent}`}>
        {area.sites.map((entry) => (
          <Site key={entry.site._id} entry={entry} />
        ))}
      </ul>
    </li>
  )
}

interface ChartBranchProps {
  branch: OrgBranch
  /** The keys of collapsed areas. */
  closed: ReadonlySet<string>
  onToggle: (area: string) => void
}

/** A Regional Vice President with Area Superintendents and their sites. */
export const BranchItem = ({ branch, closed, onToggle }: ChartBranchProps) => (
  <li className={`${layoutClasses.topMargin28} ${classes.branch}`}>
    <Leader
      title="Regional Vice President"
      person={branch.vicePresident}
      level="h2"
      sites={new Set(branch.areas.flatMap((area) => area.sites.map(({ site }) => site._id))).size}
    />
    <ul className={classes.areas}>
      {branch.areas.map((area) => {
        const key = getAreaKey(branch, area)
        return <AreaItem key={key} area={area} isOpen={!closed.has(key)} onToggle={() => onToggle(key)} />
      })}
    </ul>
  </li>
)
