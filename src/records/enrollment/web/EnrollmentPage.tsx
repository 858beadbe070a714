import { useParams } from '@tanstack/react-router'
import { lazy } from 'react'
import type { ReactNode } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { keysOf } from '../../../contract/field-definitions.ts'
import { MailLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { CopyButton } from '../../../platform/web/kit/CopyButton.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { Section, WithAside } from '../../../platform/web/kit/Section.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import { SuggestedValues } from '../../../platform/web/record-features.tsx'
import { SiteLayout } from '../../sites/web/public/SiteLayout.tsx'
import type { EnrollmentInfo } from '../contract.ts'
import { enrollmentLabels, ORIENTATION_DAYS, ORIENTATION_FIELDS } from '../fields.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './EnrollmentPage.module.css'

type Orientation = EnrollmentInfo['orientation']
type Shown = keyof typeof enrollmentLabels

const List = ({ children, chips = false }: { children: readonly ReactNode[]; chips?: boolean }) =>
  children.length ? (
    <ul className={classes.list} data-chips={chips || undefined}>
      {children}
    </ul>
  ) : null

const EmailList = ({ addresses, what }: { addresses: readonly string[]; what: string }) => (
  <span className={`${layoutClasses.topRow} ${classes.addresses}`}>
    <List>
      {addresses.map((address) => (
        <li key={address}>
          <MailLink email={address} />
        </li>
      ))}
    </List>
    <CopyButton value={addresses.join(' ')} what={what} />
  </span>
)

/** The paths of a part of the orientation in suggestions. */
const getSuggestionPaths = (field: keyof Orientation): readonly string[] =>
  field === 'recurring_dates' ? ORIENTATION_DAYS.map((day) => `recurringDates.${day}`) : [ORIENTATION_FIELDS[field].requestName]

const OrientationFacts = ({ orientation, site }: { orientation: Orientation; site: string }) => {
  const { virtual_orientation_link: link, selected_dates, recurring_dates, blackout_dates } = orientation
  const recurring = ORIENTATION_DAYS.filter((day) => recurring_dates[day].set)
  const shown: Record<keyof Orientation, ReactNode> = {
    virtual_orientation_link: link && <WebLink address={link} />,
    selected_dates: selected_dates.length ? (
      <List>
        {selected_dates.map(({ date, start_time, end_time }) => (
          <li key={`${date} ${start_time}`} className={`${textClasses.figures} ${classes.time}`}>
            <span>{formatDay(date)}</span> {start_time} to {end_time}
          </li>
        ))}
      </List>
    ) : null,
    recurring_dates: recurring.length ? (
      <List>
        {recurring.map((day) => (
          <li key={day} className={`${textClasses.figures} ${classes.time}`}>
            <span>{day}</span> {recurring_dates[day].start_time} to {recurring_dates[day].end_time}
          </li>
        ))}
      </List>
    ) : null,
    blackout_dates: blackout_dates.length ? (
      <List chips>
        {blackout_dates.map((day) => (
          <li key={day}>{formatDay(day)}</li>
        ))}
      </List>
    ) : null,
  }
  return (
    <Facts
      variant="columns"
      facts={keysOf(ORIENTATION_FIELDS).map((field) => ({
        label: ORIENTATION_FIELDS[field].label,
        value: shown[field],
        isWide: field === 'virtual_orientation_link' || field === 'blackout_dates',
        note: <SuggestedValues kind="site" _id={site} paths={getSuggestionPaths(field).map((path) => `enrollment_info.${path}`)} />,
      }))}
    />
  )
}

const Programs = ({ enrollment, site }: { enrollment: EnrollmentInfo; site: string }) => {
  const { programTypes, registrationEmail, interestEmail } = enrollment
  const shown: Record<Shown, ReactNode> = {
    about: enrollment.about,
    moreAbout: enrollment.moreAbout,
    programTypes: programTypes.length ? (
      <List chips>
        {programTypes.map((program) => (
          <li key={program._id}>{program.name}</li>
        ))}
      </List>
    ) : null,
    registrationEmail: registrationEmail.length ? <EmailList addresses={registrationEmail} what="registration email" /> : null,
    interestEmail: interestEmail.length ? <EmailList addresses={interestEmail} what="interest email" /> : null,
    primaryEmailstatus: enrollment.primaryEmailstatus,
    addtionalEmailstatus: enrollment.addtionalEmailstatus,
  }
  const facts = (fields: readonly Shown[], isWide = false) =>
    fields.map((field) => ({
      label: enrollmentLabels[field],
      value: shown[field],
      isWide,
      note: <SuggestedValues kind="site" _id={site} paths={[`enrollment_info.${field}`]} />,
    }))
  return (
    <>
      <Section title="Programs" ruled>
        <Facts variant="columns" facts={facts(['about', 'moreAbout', 'programTypes'], true)} />
      </Section>
      <Section title="Email" ruled>
        <Facts
          variant="columns"
          facts={[...facts(['registrationEmail', 'interestEmail'], true), ...facts(['primaryEmailstatus', 'addtionalEmailstatus'])]}
        />
      </Section>
    </>
  )
}

const EnrollmentForm = lazy(() => import('./EnrollmentForm.tsx').then((module) => ({ default: module.EnrollmentForm })))

/** `/location/enrollment/{slug}`: programs, email recipients and orientation. */
export const EnrollmentPage = () => {
  const { slug = '' } = useParams({ strict: false })
  return (
    <SiteLayout slug={slug} page="Enrollment" editLabel="Edit" form={EnrollmentForm} getDraftKey={(site) => `enrollment ${site._id}`}>
      {({ _id, enrollment_info: enrollment }) => (
        <WithAside aside={<LastChanged what="Enrollment" updatedAt={enrollment.updatedAt} updatedBy={enrollment.updatedBy} />}>
          <Programs enrollment={enrollment} site={_id} />
          <Section title="Orientation" ruled>
            <OrientationFacts orientation={enrollment.orientation} site={_id} />
          </Section>
        </WithAside>
      )}
    </SiteLayout>
  )
}
