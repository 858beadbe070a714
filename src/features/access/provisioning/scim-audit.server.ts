import type { AuditEvent } from '../../../platform/server/audit.ts'
import type { DirectoryGroup, GroupChange } from './groups.server.ts'
import type { DirectoryUser, UserChange } from './users.server.ts'

const toUserValues = ({ userName, externalId, active, account, resource }: DirectoryUser): object => ({
  userName,
  externalId,
  active,
  account,
  ...resource,
})

/** The events of a changed user; none if a request changed nothing. */
export const toUserEvents = ({ before, after }: UserChange): AuditEvent[] => {
  if (before === after) return []
  const [record, kind] = before
    ? ([before._id, after ? 'scim_user.changed' : 'scim_user.removed'] as const)
    : ([after?._id ?? null, 'scim_user.created'] as const)
  return [{ kind, record, before: before && toUserValues(before), after: after && toUserValues(after) }]
}

const toGroupValues = ({ displayName, externalId, memberCount }: DirectoryGroup): object => ({
  displayName,
  externalId,
  members: memberCount,
})

/** The events of a changed group, with the ids of added and removed members; none if a request changed nothing. */
export const toGroupEvents = ({ before, after, members: { added, removed } }: GroupChange): AuditEvent[] => {
  if (before === after) return []
  const values = { ...toGroupValues(after), ...(added.length === 0 ? {} : { added }), ...(removed.length === 0 ? {} : { removed }) }
  return [
    {
      kind: before ? 'scim_group.changed' : 'scim_group.created',
      record: after._id,
      before: before && toGroupValues(before),
      after: values,
    },
  ]
}

export const toGroupRemovalEvents = (group: DirectoryGroup): AuditEvent[] => [
  { kind: 'scim_group.removed', record: group._id, before: toGroupValues(group) },
]
