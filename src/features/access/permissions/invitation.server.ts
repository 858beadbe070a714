import { isEmail } from '../../../contract/emails.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import { renderMail, toOneLine, toSubject } from '../../../platform/server/mail/layout.ts'
import type { NewMail } from '../../../platform/server/mail/store.ts'
import type { Permission } from './contract.ts'
import { getAbilities } from './rules.ts'

interface InvitationOptions {
  readonly inviter: SignedIn
  readonly organization: string | null
  readonly publicUrl: string
}

/** The email to someone who was made an administrator: what they can do, and where they sign in. */
export const toInvitation = (
  { personID: { azureID }, accessLevel }: Permission,
  { inviter, organization, publicUrl }: InvitationOptions,
): NewMail => {
  const by = toOneLine(inviter.name)
  const name = organization === null ? 'Homeroom' : `Homeroom of ${toOneLine(organization)}`
  return {
    kind: 'invitation',
    recipients: [azureID],
    subject: toSubject(`${by} invites you to ${name}`),
    ...renderMail({
      title: `You are an administrator of ${name}`,
      intro: [
        `${by} has given you level ${accessLevel}. You can ${new Intl.ListFormat('en-US').format(getAbilities(accessLevel))}.`,
        `Sign in with your work account, ${azureID}. There is no password to choose.`,
      ],
      groups: [],
      button: { text: 'Open Homeroom', href: publicUrl },
      after: [],
      foot: [`You get this once, because ${by} made you an administrator.`],
    }),
    replyName: by,
    replyTo: isEmail(inviter.azureID) ? inviter.azureID : null,
  }
}
