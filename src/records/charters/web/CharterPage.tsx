import { IconBuilding } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { lazy } from 'react'

import { formatPhone } from '../../../contract/phones.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { isClosed } from '../../../contract/status.ts'
import { useCan } from '../../../platform/web/caller.ts'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { CopyButton } from '../../../platform/web/kit/CopyButton.tsx'
import { type Fact, Facts, toFacts } from '../../../platform/web/kit/Facts.tsx'
import { HeadLink } from '../../../platform/web/kit/HeadAction.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { RecordPhoto } from '../../../platform/web/kit/RecordPhoto.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import { SuggestedValues } from '../../../platform/web/record-features.tsx'
import { BrandMark } from '../../brands/web/public/BrandMark.tsx'
import { CharterDifferencesCard } from '../../charter-affairs/web/public/CharterDifferencesCard.tsx'
import { EditButton } from '../../pages/web/public/EditButton.tsx'
import { RecordPage } from '../../pages/web/public/RecordPage.tsx'
import type { Charter } from '../contract.ts'
import { charterLabels } from '../fields.ts'
import { charterHistory } from '../history.ts'
import { CharterCheck } from './CharterCheck.tsx'
import { useCharterView } from './queries.ts'
import { StudentCount } from './StudentCount.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './Charter.module.css'

/** The name and the photo are in the header; the phone number comes before the website, and the slug after what users read. */
const {
  name: _name,
  photo: _photo,
  slug,
  directory_id,
  sites,
  charterWebsite,
  schoolTypeUrls,
  charter_number,
  charter_grade_levels,
  ...firstLabels
} = charterLabels
const shownLabels = { ...firstLabels, charterWebsite, schoolTypeUrls, charter_number, charter_grade_levels, directory_id, slug, sites }

const buildFacts = (charter: Charter): Fact[] =>
  toFacts(
    shownLabels,
    charter,
    {
      brand: {
        value: (
          <span className={`${layoutClasses.gap8} ${classes.brand}`}>
            <BrandMark name={charter.brandName} icon={charter.brandIcon} size={28} />
            <TextLink to={getRecordPath({ kind: 'brand', _id: charter.brand })}>{charter.brandName}</TextLink>
          </span>
        ),
      },
      status: { value: <StatusWord status={charter.status} /> },
      studentCount: { value: <StudentCount charter={charter} /> },
      charterContactnumber: {
        value: (
          <span className={`${layoutClasses.gap6} ${classes.copied}`}>
            <PhoneLink phone={charter.charterContactnumber} />
            {charter.charterContactnumber ? <CopyButton value={formatPhone(charter.charterContactnumber)} what="contact number" /> : null}
          </span>
        ),
      },
      charterWebsite: { value: charter.charterWebsite && <WebLink address={charter.charterWebsite} /> },
      schoolTypeUrls: {
        value:
          charter.schoolTypeUrls.length > 0 ? (
            <ul className={`${layoutClasses.grid} ${layoutClasses.gap4}`}>
              {charter.schoolTypeUrls.map(({ name, url }) => (
                <li key={`${name} ${url}`}>
                  <WebLink address={url} label={name} />
                </li>
              ))}
            </ul>
          ) : null,
      },
      sites: {
        value: (
          <TextLink to={getRecordPath({ kind: 'charter', slug: charter.slug })}>
            {charter.sites.length === 1 ? '1 site' : `${charter.sites.length} sites`}
          </TextLink>
        ),
      },
    },
    (field) => <SuggestedValues kind="charter" _id={charter._id} paths={[field]} />,
  ).filter((fact) => fact.label !== charterLabels.directory_id || charter.directory_id !== null)

const CharterForm = lazy(() => import('./CharterForm.tsx').then((module) => ({ default: module.CharterForm })))

/** `/charterview/{id}`: every field of a charter. */
export const CharterPage = () => {
  const { id = '' } = useParams({ strict: false })
  return (
    <RecordPage
      kind="charter"
      query={useCharterView(id)}
      getName={({ name }) => name}
      getTitle={({ name }) => `Charter view, ${name}`}
      history={charterHistory}
      renderBack={(charter) => (
        <BackLink to={getRecordPath({ kind: 'charter', slug: charter?.slug ?? id })} label={charter?.name ?? 'Charter'} />
      )}
      form={{ mayEdit: useCan('manage the network'), View: CharterForm }}
      renderHead={(charter, { open, suggest }) => ({
        otherPage: (
          <HeadLink icon={IconBuilding} to={getRecordPath({ kind: 'charter', slug: charter.slug })}>
            Sites of this charter
          </HeadLink>
        ),
        mainAction: <EditButton recordType="charter" onOpen={open} onSuggest={suggest} />,
        facts: <Facts variant="columns" facts={buildFacts(charter)} />,
        check: isClosed(charter.status) ? null : <CharterCheck charter={charter} onSuggest={suggest} />,
        picture: <RecordPhoto src={charter.photo} name={charter.name} drawn={{ type: 'campus', id: charter._id }} />,
      })}
    >
      {(charter) => (
        <>
          <CharterDifferencesCard charter={charter} />
          <div className={layoutClasses.topMargin32}>
            <LastChanged updatedAt={charter.updatedAt} updatedBy={charter.updatedBy} />
          </div>
        </>
      )}
    </RecordPage>
  )
}
