import { useQuery } from '@tanstack/react-query'

import { can } from '../../../../../contract/capabilities.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { Facts } from '../../../../../platform/web/kit/Facts.tsx'
import { Section } from '../../../../../platform/web/kit/Section.tsx'
import { TextLink } from '../../../../../platform/web/kit/TextLink.tsx'
import { callQueryOptions } from '../../../../../platform/web/queries.ts'
import type { AccessCardProps } from '../../../../../platform/web/record-features.tsx'
import { readPersonAccess } from '../../contract.ts'
import { getLevelFacts } from '../../rules.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'

/** A person's level and its source, for administrators. */
export const AccessCard = ({ person: { _id, name, leftAt }, level }: AccessCardProps) => {
  const isShown = can(level, 'manage administrators') && leftAt === null
  const canSeeAccounts = can(level, 'end anyone’s sessions')
  const { data: access } = useQuery({ ...callQueryOptions(readPersonAccess, { params: { id: _id } }), staleTime: 0, enabled: isShown })
  if (!isShown || !access) return null
  return (
    <Section title="Access">
      <Facts facts={getLevelFacts(access, name, configuration.timeZone)} />
      {access.account === null ? <p className={`${textClasses.note} ${layoutClasses.topMargin10}`}>Hasn’t signed in yet.</p> : null}
      {access.account !== null && canSeeAccounts ? (
        <p className={`${textClasses.note} ${layoutClasses.topMargin10}`}>
          <TextLink to="/accounts/$id" params={{ id: access.account }} underline="always">
            Sign-ins of this person
          </TextLink>
        </p>
      ) : null}
    </Section>
  )
}
