import { Button } from '@mantine/core'
import { IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { useCan } from '../../../platform/web/caller.ts'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { PersonRow, PersonRows } from '../../../platform/web/kit/PersonRow.tsx'
import { Section } from '../../../platform/web/kit/Section.tsx'
import { usePlannedEnds } from '../../../platform/web/record-features.tsx'
import { ROLE_GROUPS, type Role, type RoleGroup } from '../../people/contract.ts'
import { useRoles } from '../../people/web/queries.ts'
import type { Site } from '../../sites/contract.ts'
import { SiteLayout } from '../../sites/web/public/SiteLayout.tsx'
import type { SitePerson } from '../contract.ts'
import { GROUP_TITLES, listStaffMembers } from './staff-groups.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './SiteStaffPage.module.css'

interface GroupProps {
  site: string
  people: readonly SitePerson[]
  roles: readonly Role[]
  group: RoleGroup
}

const Group = ({ site, people, roles, group }: GroupProps) => {
  const getEnd = usePlannedEnds(site)
  const describeRole = (role: string, person: string): string => {
    const end = getEnd(role, person)
    return end ? `${role}, until ${formatDay(end)}` : role
  }
  const members = listStaffMembers(people, roles, group)
  return (
    <Section title={GROUP_TITLES[group]} count={members.length}>
      {members.length ? (
        <PersonRows label={GROUP_TITLES[group]}>
          {members.map((member) => (
            <PersonRow
              key={member.person._id}
              person={member.person}
              role={member.roles.map((role) => describeRole(role, member.person._id)).join(', ')}
            />
          ))}
        </PersonRows>
      ) : (
        <p className={`${layoutClasses.lineAbove} ${textClasses.dimmed} ${layoutClasses.blockPadding14}`}>Vacant</p>
      )}
    </Section>
  )
}

const AddStaffModal = lazy(() => import('./AddStaffModal.tsx').then((module) => ({ default: module.AddStaffModal })))
const StaffSuggestionForm = lazy(() => import('./StaffSuggestionForm.tsx').then((module) => ({ default: module.StaffSuggestionForm })))
const RemoveStaffModal = lazy(() => import('./RemoveStaffModal.tsx').then((module) => ({ default: module.RemoveStaffModal })))

/** The buttons that add and remove staff. */
const StaffActions = ({ site }: { site: Site }) => {
  const mayEdit = useCan('edit a site')
  const [open, setOpen] = useState<'add' | 'remove' | null>(null)
  const close = () => setOpen(null)
  if (!mayEdit) return null
  return (
    <div className={`${layoutClasses.wrappingRow} ${layoutClasses.bottomMargin24}`} data-print="no">
      <Button variant="default" leftSection={<IconUserPlus size={17} stroke={1.75} />} onClick={() => setOpen('add')}>
        Add Staff
      </Button>
      {site.people.length ? (
        <Button variant="default" leftSection={<IconUserMinus size={17} stroke={1.75} />} onClick={() => setOpen('remove')}>
          Remove Staff
        </Button>
      ) : null}
      <Suspense>
        {open === 'add' ? <AddStaffModal site={site} onClose={close} /> : null}
        {open === 'remove' ? <RemoveStaffModal site={site} onClose={close} /> : null}
      </Suspense>
    </div>
  )
}

/** `/location/staff/{slug}`: the staff of a site, by group of roles. */
export const SiteStaffPage = () => {
  const { slug = '' } = useParams({ strict: false })
  const roles = useRoles()
  return (
    <SiteLayout slug={slug} page="Staff" editLabel={null} form={StaffSuggestionForm} getDraftKey={(site) => `staff ${site._id}`}>
      {(site) => (
        <div className={classes.groups}>
          <StaffActions site={site} />
          <LoadedRecord query={roles} what="list of roles" skeleton={null}>
            {(known) => ROLE_GROUPS.map((group) => <Group key={group} site={site._id} people={site.people} roles={known} group={group} />)}
          </LoadedRecord>
        </div>
      )}
    </SiteLayout>
  )
}
