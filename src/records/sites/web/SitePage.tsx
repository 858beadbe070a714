import { Anchor } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactNode } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { getMapUrl } from '../../../platform/web/kit/ContactLinks.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { VacantRow, PersonRow, PersonRows } from '../../../platform/web/kit/PersonRow.tsx'
import { Section, WithAside } from '../../../platform/web/kit/Section.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import { FillLink, usePlannedEnds, DeadlinesCard, SuggestedValues } from '../../../platform/web/record-features.tsx'
import type { Site } from '../contract.ts'
import { siteLabels } from '../fields.ts'
import { AREA_LEADERSHIP, type LeadershipRow, listLeadershipRows, LOCAL_LEADERSHIP } from './leadership.ts'
import { SiteLayout } from './public/SiteLayout.tsx'
import { StaffSheet } from './StaffSheet.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './SitePage.module.css'

const toNote = ({ _id }: Site, path: string) => <SuggestedValues kind="site" _id={_id} paths={[path]} />

const Leadership = ({ site, title, roles }: { site: Site; title: string; roles: typeof LOCAL_LEADERSHIP }) => {
  const getEnd = usePlannedEnds(site._id)
  const describeRole = ({ key, title: role, person }: LeadershipRow): string => {
    const end = person && getEnd(site.people.find(({ _id }) => _id === key)?.role_match.name ?? '', person._id)
    return end ? `${role}, until ${formatDay(end)}` : role
  }
  const rows = listLeadershipRows(site, roles)
  // An office has no local leadership, neither people nor vacancies.
  if (rows.length === 0) return null
  return (
    <Section title={title}>
      <PersonRows label={title}>
        {rows.map((row, at) => {
          const isFirst = rows[at - 1]?.title !== row.title
          const note = isFirst ? toNote(site, `roles.${roles.find(({ title: one }) => one === row.title)?.role ?? ''}`) : null
          return row.person ? (
            <PersonRow key={row.key} person={row.person} role={describeRole(row)} note={note} />
          ) : (
            <VacantRow
              key={row.key}
              role={row.title}
              action={
                <>
                  {note}
                  <FillLink site={site.slug} role={row.key} />
                </>
              }
            />
          )
        })}
      </PersonRows>
    </Section>
  )
}

const TextSection = ({ title, text, note }: { title: string; text: string | null; note: ReactNode }) => (
  <Section title={title}>
    <p className={`${layoutClasses.breakable} ${classes.prose}`} data-none={text ? undefined : true}>
      {text ?? 'None provided'}
    </p>
    {note}
  </Section>
)

const About = ({ site }: { site: Site }) => {
  const { charter, region, latitude, longitude } = site
  const point = latitude !== null && longitude !== null ? `${latitude}, ${longitude}` : null
  return (
    <Section title="About this site">
      <Facts
        facts={[
          {
            label: 'Charter',
            value: charter && <TextLink to={getRecordPath({ kind: 'charter', slug: charter.slug })}>{charter.name}</TextLink>,
            note: toNote(site, 'charter'),
          },
          {
            label: 'Brand',
            value: charter && <TextLink to={getRecordPath({ kind: 'brand', _id: charter.brand })}>{charter.brandName}</TextLink>,
          },
          {
            label: 'Region',
            value: region && <TextLink to={getRecordPath({ kind: 'region', slug: region.slug })}>{region.name}</TextLink>,
            note: toNote(site, 'region'),
          },
          { label: 'Facility type', value: site.category, note: toNote(site, 'category') },
          ...(site.name && site.name !== site.displayName ? [{ label: 'Site name', value: site.name, note: toNote(site, 'name') }] : []),
          ...(site.directory_id ? [{ label: siteLabels.directory_id, value: site.directory_id }] : []),
          ...(point
            ? [
                {
                  label: 'Coordinates',
                  value: (
                    <Anchor inherit href={getMapUrl(point)} target="_blank" rel="noreferrer">
                      {point}
                    </Anchor>
                  ),
                },
              ]
            : []),
        ]}
      />
      <LastChanged updatedAt={site.updatedAt} updatedBy={site.updatedBy} />
    </Section>
  )
}

const SiteForm = lazy(() => import('./SiteForm.tsx').then((module) => ({ default: module.SiteForm })))

/** `/location/{slug}`: contact, address and leadership of a site. */
export const SitePage = () => {
  const { slug } = useParams({ strict: false })
  return (
    <SiteLayout slug={slug ?? ''} editLabel="Edit Site" form={SiteForm} getDraftKey={({ _id }) => `site ${_id}`}>
      {(site) => (
        <>
          <WithAside aside={<About site={site} />}>
            <Leadership site={site} title="Local leadership" roles={LOCAL_LEADERSHIP} />
            <Leadership site={site} title="Area leadership" roles={AREA_LEADERSHIP} />
            <DeadlinesCard filter={{ site: site.slug }} />
            <TextSection title="Description" text={site.address.description} note={toNote(site, 'address.description')} />
            <TextSection title="Closures" text={site.address.closures} note={toNote(site, 'address.closures')} />
          </WithAside>
          <StaffSheet site={site} />
        </>
      )}
    </SiteLayout>
  )
}
