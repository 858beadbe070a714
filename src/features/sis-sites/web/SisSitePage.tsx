import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { showDay } from '../../../platform/contract/dates.ts'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { DetailHead } from '../../../platform/web/kit/DetailHead.tsx'
import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { LoadedRecord, LoadFailed } from '../../../platform/web/kit/LoadedRecord.tsx'
import { Section, WithAside } from '../../../platform/web/kit/Section.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import { useTitle } from '../../../platform/web/title.ts'
import { useSite } from '../../sites/web/queries.ts'
import type { SisSite } from '../contract.ts'
import { SIS_PARTS, sisFieldNames, sisFields } from '../rules.ts'
import { ActiveWord } from './ActiveWord.tsx'
import { useSisSite } from './queries.ts'

const shownValue = (value: SisSite[(typeof sisFieldNames)[number]], isDate: boolean): ReactNode => {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.join(', ')
  return value && isDate ? showDay(value) : value
}

const PartOfSis = ({ sis, part }: { sis: SisSite; part: (typeof SIS_PARTS)[number] }) => (
  <Section title={part} ruled>
    <Facts
      look="columns"
      facts={sisFieldNames
        .filter((field) => sisFields[field].part === part)
        .map((field) => ({ label: sisFields[field].label, value: shownValue(sis[field], part === 'Dates') }))}
    />
  </Section>
)

/** `/location/{slug}/sis/{id}`, behind the admin guard. A SIS site of another location is not found under this one (D31). */
export const SisSitePage = () => {
  const { slug = '', id = '' } = useParams({ strict: false })
  const site = useSite(slug)
  const query = useSisSite(id)
  useTitle(query.data?.name)
  const back = <BackLink to={`/location/${encodeURIComponent(slug)}/sis`} label="SIS sites" />
  const loading = { back, skeleton: <DetailSkeleton beside="picture" /> }
  return (
    <LoadedRecord query={site} what="location" {...loading}>
      {(location) => (
        <LoadedRecord query={query} what="SIS site" {...loading}>
          {(sis) =>
            sis.site._id === location._id ? (
              <>
                <DetailHead
                  back={back}
                  title={sis.name}
                  line={
                    <>
                      <ActiveWord active={sis.status} />
                      <span>
                        SIS site of{' '}
                        <TextLink to="/location/$slug" params={{ slug: location.slug }} underline="always">
                          {location.displayName}
                        </TextLink>
                      </span>
                    </>
                  }
                />
                <WithAside aside={<LastChanged updatedAt={sis.updatedAt} updatedBy={sis.updatedBy} />}>
                  {SIS_PARTS.map((part) => (
                    <PartOfSis key={part} sis={sis} part={part} />
                  ))}
                </WithAside>
              </>
            ) : (
              <LoadFailed words="This SIS site could not be found." />
            )
          }
        </LoadedRecord>
      )}
    </LoadedRecord>
  )
}
