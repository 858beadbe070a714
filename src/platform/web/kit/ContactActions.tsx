import { IconMail, IconMapPin, IconMessage, IconMessageCircle, IconPhone } from '@tabler/icons-react'

import { toMailtoUrl, toTeamsChatUrl } from '../../../contract/emails.ts'
import { formatPhone, toSmsUrl, toTelUrl } from '../../../contract/phones.ts'
import { getMapUrl } from './ContactLinks.tsx'
import { HeadAction } from './HeadAction.tsx'

/** 'Call 209-555-0142': the most common action on a phone. */
export const CallAction = ({ phone }: { phone: string }) => (
  <HeadAction icon={IconPhone} isFilled href={toTelUrl(phone)}>
    {`Call ${formatPhone(phone)}`}
  </HeadAction>
)

/** Writes a text message to the number. */
export const TextAction = ({ phone }: { phone: string }) => (
  <HeadAction icon={IconMessageCircle} href={toSmsUrl(phone)}>
    Text
  </HeadAction>
)

export const MailAction = ({ email }: { email: string }) => (
  <HeadAction icon={IconMail} href={toMailtoUrl(email)}>
    Email
  </HeadAction>
)

export const TeamsAction = ({ email }: { email: string }) => (
  <HeadAction icon={IconMessage} href={toTeamsChatUrl(email)} isOtherTab>
    Teams
  </HeadAction>
)

export const MapAction = ({ address }: { address: string }) => (
  <HeadAction icon={IconMapPin} href={getMapUrl(address)} isOtherTab>
    Map
  </HeadAction>
)
