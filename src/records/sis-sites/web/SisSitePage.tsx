import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { keysOf } from '../../../contract/field-definitions.ts'
import { buildPagePath } from '../../../contract/pages.ts'
import { ArchivedPage } from '../../../platform/web/archived.ts'
import { useCan } from '../../../platform/web/caller.ts'
import { DraftHint } from '../../../platform/web/form/DraftHint.tsx'
import { FormOf } from '../../../platform/web/form/FormOf.tsx'
import { showSaved } from '../../../platform/web/form/show-saved.ts'
import { useEditMode } from '../../../platform/web/form/use-edit-mode.ts'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { DetailHead } from '../../../platform/web/kit/DetailHead.tsx'
import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import { HeadAction } from '../../../platform/web/kit/HeadAction.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { LoadedRecord, LoadFailed } from '../../../platform/web/kit/LoadedRecord.tsx'
import { Section, WithAside } from '../../../platform/web/kit/Section.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import { focusPage } from '../../../platform/web/navigation.ts'
import { queryClient } from '../../../platform/web/queries.ts'
import { HistoryButton } from '../../../platform/web/record-features.tsx'
import { useTitle } from '../../../platform/web/title.ts'
import { siteHistory } from '../../sites/history.ts'
import { useSite } from '../../sites/web/queries.ts'
import type { SisSite } from '../contract.ts'
import { SIS_FIELDS } from '../fields.ts'
import { ActiveLabel } from './ActiveLabel.tsx'
import { useSisSite } from './queries.ts'

const SECTIONS = ['Identifiers', 'Dates', 'Programs'] as const

const formatValue = (value: SisSite[keyof typeof SIS_FIELDS], isDate: boolean): ReactNode => {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' && isDate ? formatDay(value) : (value as string | null)
}

const SisSection = ({ sis, title }: { sis: SisSite; title: (typeof SECTIONS)[number] }) => (
  <Section title={title} ruled>
    <Facts
      variant="columns"
      facts={keysOf(SIS_FIELDS)
        .filter((name) => SIS_FIELDS[name].section === title)
        .map((name) => ({ label: SIS_FIELDS[name].label, value: formatValue(sis[name], SIS_FIELDS[name].control === 'day') }))}
    />
  </Section>
)

const SisForm = lazy(() => import('./SisForm.tsx').then((module) => ({ default: module.SisForm })))
const RemoveSisModal = lazy(() => import('./RemoveSisModal.tsx').then((module) => ({ default: module.RemoveSisModal })))

/** One SIS site: its facts, or its form. */
const SisSiteView = ({ sis, back }: { sis: SisSite; back: ReactNode }) => {
  const mayEdit = useCan('edit a site')
  const navigate = useNavigate()
  const { isEditing, open, resume, close } = useEditMode()
  const [isRemoving, setRemoving] = useState(false)
  const draftKey = `SIS site ${sis._id}`
  // After the navigation, because this page would request the deleted record.
  const toList = (saves: readonly string[]) =>
    void navigate({ to: '/location/$slug/sis', params: { slug: sis.site.slug }, search: {}, replace: true }).then(() => {
      showSaved({ text: `${sis.name} was removed.`, saves })
      return queryClient.invalidateQueries()
    })
  // It may belong to another location now.
  const toPage = (saved: SisSite) =>
    void navigate({
      to: '/location/$slug/sis/$id',
      params: { slug: saved.site.slug, id: saved._id },
      search: {},
      replace: true,
      ignoreBlocker: true,
    }).then(() => requestAnimationFrame(focusPage))
  if (mayEdit && isEditing)
    return (
      <FormOf kind="sis_site" _id={sis._id}>
        <Suspense fallback={<DetailSkeleton beside="picture" />}>
          <SisForm key={sis._id} sis={sis} draftKey={draftKey} onSaved={toPage} onClose={close} />
        </Suspense>
      </FormOf>
    )
  return (
    <>
      {mayEdit ? <DraftHint key={sis._id} name={draftKey} onResume={resume} /> : null}
      <DetailHead
        back={back}
        title={sis.name}
        actions={
          mayEdit ? (
            <>
              <HistoryButton kind="site" parts={siteHistory} _id={sis.site._id} name={sis.site.displayName} />
              <HeadAction icon={IconTrash} onClick={() => setRemoving(true)} opensDialog>
                Remove
              </HeadAction>
            </>
          ) : null
        }
        mainAction={
          mayEdit ? (
            <HeadAction icon={IconPencil} onClick={open}>
              Edit
            </HeadAction>
          ) : null
        }
        line={
          <>
            <ActiveLabel active={sis.status} />
            <span>
              SIS site of{' '}
              <TextLink to="/location/$slug" params={{ slug: sis.site.slug }} underline="always">
                {sis.site.displayName}
              </TextLink>
            </span>
          </>
        }
      />
      <WithAside aside={<LastChanged updatedAt={sis.updatedAt} updatedBy={sis.updatedBy} />}>
        {SECTIONS.map((title) => (
          <SisSection key={title} sis={sis} title={title} />
        ))}
      </WithAside>
      {isRemoving ? (
        <Suspense>
          <RemoveSisModal sis={sis} onRemoved={toList} onClose={() => setRemoving(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** `/location/{slug}/sis/{id}`, behind the admin guard. A SIS site of another location is not found under this one. */
export const SisSitePage = () => {
  const { slug = '', id = '' } = useParams({ strict: false })
  const site = useSite(slug)
  const query = useSisSite(id)
  useTitle(query.data?.name)
  const back = <BackLink to={buildPagePath('/location/$slug/sis', slug)} label="SIS sites" />
  const loading = { back, skeleton: <DetailSkeleton beside="picture" /> }
  return (
    <LoadedRecord query={site} what="site" {...loading}>
      {(location) => (
        <LoadedRecord query={query} what="SIS site" {...loading}>
          {(sis) =>
            sis.site._id === location._id ? (
              <ArchivedPage value={location.archived !== undefined}>
                <SisSiteView sis={sis} back={back} />
              </ArchivedPage>
            ) : (
              <LoadFailed words="This SIS site could not be found." />
            )
          }
        </LoadedRecord>
      )}
    </LoadedRecord>
  )
}
