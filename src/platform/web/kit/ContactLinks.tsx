import { Anchor, VisuallyHidden } from '@mantine/core'
import { IconMail, IconMessage, IconPhone } from '@tabler/icons-react'

import { toMailtoUrl, toTeamsChatUrl } from '../../../contract/emails.ts'
import { NO_NUMBER, formatPhone, toTelUrl } from '../../../contract/phones.ts'

import classes from './ContactLinks.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

/** A map search for an address or a point. */
export const getMapUrl = (address: string): string => `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`

interface PhoneLinkProps {
  phone: string | null
  /** `prominent` is the main number of a page (22/28 bold); `row` is bold, in rows and on cards; `quiet` is plain text, for a fax. */
  variant?: 'plain' | 'row' | 'prominent' | 'quiet'
}

/** A phone link, or 'No number on file'. */
export const PhoneLink = ({ phone, variant = 'plain' }: PhoneLinkProps) =>
  phone ? (
    <Anchor inherit href={toTelUrl(phone)} className={`${textClasses.unbroken} ${classes.phone}`} data-variant={variant}>
      {formatPhone(phone)}
    </Anchor>
  ) : (
    <span className={textClasses.dimmed}>{NO_NUMBER}</span>
  )

/** An email link. A long address wraps before the @. */
export const MailLink = ({ email }: { email: string }) => (
  <Anchor inherit href={toMailtoUrl(email)} className={layoutClasses.breakable}>
    {email.replace(/@.*/s, '')}
    <wbr />
    {/@.*/s.exec(email)?.[0]}
  </Anchor>
)

/** 'Start a chat', in Teams. */
export const TeamsLink = ({ email }: { email: string }) => (
  <Anchor inherit href={toTeamsChatUrl(email)} target="_blank" rel="noreferrer" className={layoutClasses.inlineRow}>
    <IconMessage size={18} stroke={1.75} aria-hidden />
    Start a chat<VisuallyHidden> in Teams</VisuallyHidden>
  </Anchor>
)

interface ContactButtonsProps {
  /** The person's name; part of each button's label. */
  name: string
  phone: string | null
  email: string | null
}

/** Phone, mail and Teams buttons at the end of a person's row. Phones get a call button for the number and keep Teams. */
export const ContactButtons = ({ name, phone, email }: ContactButtonsProps) => (
  <span className={`${layoutClasses.row} ${layoutClasses.rigid} ${layoutClasses.gap6}`}>
    {phone ? (
      <>
        <Anchor inherit href={toTelUrl(phone)} className={classes.number} data-variant="row">
          {formatPhone(phone)}
        </Anchor>
        <a
          href={toTelUrl(phone)}
          className={`${layoutClasses.centered} ${layoutClasses.rounded} ${layoutClasses.targetSize} ${layoutClasses.hoverable} ${classes.button}`}
          data-only="phone"
          aria-label={`Call ${name}`}
        >
          <IconPhone size={17} stroke={1.75} />
        </a>
      </>
    ) : (
      <span className={`${textClasses.dimmed} ${textClasses.smallFont} ${classes.noNumber}`}>{NO_NUMBER}</span>
    )}
    {email ? (
      <>
        <a
          href={toMailtoUrl(email)}
          className={`${layoutClasses.centered} ${layoutClasses.rounded} ${layoutClasses.targetSize} ${layoutClasses.hoverable} ${classes.button}`}
          data-only="desk"
          aria-label={`Email ${name}`}
          title={email}
        >
          <IconMail size={17} stroke={1.75} />
        </a>
        <a
          href={toTeamsChatUrl(email)}
          target="_blank"
          rel="noreferrer"
          className={`${layoutClasses.centered} ${layoutClasses.rounded} ${layoutClasses.targetSize} ${layoutClasses.hoverable} ${classes.button}`}
          aria-label={`Message ${name} in Teams`}
          title="Message in Teams"
        >
          <IconMessage size={17} stroke={1.75} />
        </a>
      </>
    ) : null}
  </span>
)
