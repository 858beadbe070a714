import { IconDatabaseOff } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { lazy } from 'react'

import { useCan } from '../../../platform/web/caller.ts'
import { EmptyState } from '../../../platform/web/kit/EmptyState.tsx'
import { SiteLayout } from '../../sites/web/public/SiteLayout.tsx'
import type { SisSite } from '../contract.ts'
import { ActiveLabel } from './ActiveLabel.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './SisSitesPage.module.css'

const Card = ({ sis, opens }: { sis: SisSite; opens: boolean }) => (
  <li
    className={`${layoutClasses.card} ${layoutClasses.covered} ${layoutClasses.column} ${opens ? layoutClasses.shadowOnHover : ''} ${classes.card}`}
  >
    {opens ? (
      <Link
        to="/location/$slug/sis/$id"
        params={{ slug: sis.site.slug, id: sis._id }}
        className={`${layoutClasses.covering} ${textClasses.strong} ${textClasses.textColor}`}
      >
        {sis.name}
      </Link>
    ) : (
      <span className={`${textClasses.strong} ${textClasses.textColor}`}>{sis.name}</span>
    )}
    <span className={`${textClasses.detail} ${classes.ids}`}>
      {[sis.sislc_id && `SISLC ${sis.sislc_id}`, sis.charterName].filter(Boolean).join(' · ')}
    </span>
    <span className={`${textClasses.detail} ${classes.ids}`}>{sis.type_array.join(', ')}</span>
    <ActiveLabel active={sis.status} />
  </li>
)

const NewSisForm = lazy(() => import('./SisForm.tsx').then((module) => ({ default: module.NewSisForm })))

/** `/location/{slug}/sis`: the SIS sites of a site. Cards are links for users who may open SIS sites. */
export const SisSitesPage = () => {
  const { slug = '' } = useParams({ strict: false })
  const opens = useCan('open a SIS site')
  return (
    <SiteLayout slug={slug} page="SIS" editLabel="Add SIS Site" form={NewSisForm} getDraftKey={(site) => `new SIS site of ${site._id}`}>
      {({ sis_sites: sisSites }) =>
        sisSites.length ? (
          <ul className={`${layoutClasses.grid} ${classes.grid}`} aria-label="SIS sites">
            {sisSites.map((sis) => (
              <Card key={sis._id} sis={sis} opens={opens} />
            ))}
          </ul>
        ) : (
          <EmptyState icon={IconDatabaseOff} title="No SIS sites to display">
            <p>No SIS sites are linked to this location.</p>
          </EmptyState>
        )
      }
    </SiteLayout>
  )
}
