import { IconMail, IconMapPin, IconMessage, IconPhone } from '@tabler/icons-react'

import { mailtoOf, teamsChatOf } from '../../contract/emails.ts'
import { showPhone, telOf } from '../../contract/phones.ts'
import { mapAddressOf } from './ContactLinks.tsx'
import { HeadAction } from './HeadAction.tsx'

/** 'Call 209-555-0142': what people come for on a phone. */
export const CallAction = ({ phone }: { phone: string }) => (
  <HeadAction icon={IconPhone} isFilled href={telOf(phone)}>
    {`Call ${showPhone(phone)}`}
  </HeadAction>
)

export const MailAction = ({ email }: { email: string }) => (
  <HeadAction icon={IconMail} href={mailtoOf(email)}>
    Email
  </HeadAction>
)

export const TeamsAction = ({ email }: { email: string }) => (
  <HeadAction icon={IconMessage} href={teamsChatOf(email)} isOtherTab>
    Teams
  </HeadAction>
)

export const MapAction = ({ place }: { place: string }) => (
  <HeadAction icon={IconMapPin} href={mapAddressOf(place)} isOtherTab>
    Map
  </HeadAction>
)
