import { useParams } from '@tanstack/react-router'

import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { PersonRow, PersonRows } from '../../../platform/web/kit/PersonRow.tsx'
import { Section } from '../../../platform/web/kit/Section.tsx'
import { ROLE_GROUPS } from '../../people/contract.ts'
import type { Role, RoleGroup } from '../../people/contract.ts'
import { useRoles } from '../../people/web/queries.ts'
import { SiteHeadCard } from '../../sites/web/SiteHeadCard.tsx'
import type { SitePerson } from '../contract.ts'
import { membersOf } from './staffGroups.ts'

import classes from './SiteStaffPage.module.css'

const GROUP_TITLES: Record<RoleGroup, string> = { LEADERSHIP: 'Leadership', STUDENT_SUPPORT: 'Student Support' }

const Group = ({ people, roles, group }: { people: readonly SitePerson[]; roles: readonly Role[]; group: RoleGroup }) => {
  const members = membersOf(people, roles, group)
  return (
    <Section title={GROUP_TITLES[group]} count={members.length}>
      {members.length ? (
        <PersonRows label={GROUP_TITLES[group]}>
          {members.map((member) => (
            <PersonRow key={member.person._id} person={member.person} role={member.roles.join(', ')} />
          ))}
        </PersonRows>
      ) : (
        <p className={classes.nobody}>No one assigned</p>
      )}
    </Section>
  )
}

/** `/location/staff/{slug}`: everybody at a site, in the two groups of roles (section 6). */
export const SiteStaffPage = () => {
  const { slug = '' } = useParams({ strict: false })
  const roles = useRoles()
  return (
    <SiteHeadCard slug={slug} page="Staff">
      {(site) => (
        <div className={classes.groups}>
          <LoadedRecord query={roles} what="list of roles" skeleton={null}>
            {(known) => ROLE_GROUPS.map((group) => <Group key={group} people={site.people} roles={known} group={group} />)}
          </LoadedRecord>
        </div>
      )}
    </SiteHeadCard>
  )
}
