import type { NewAuditEvent } from '../../../platform/server/audit.ts'
import type { StoredGroup, GroupChange } from './groups.server.ts'
import type { DirectoryUser, UserChange } from './users.server.ts'

const toUserValues = ({ userName, externalId, active, account, resource }: DirectoryUser): object => ({
  userName,
  externalId,
  active,
  account,
  ...resource,
})

/** The events of a changed user; none if a request changed nothing. */
export const toUserEvents = ({ before, after }: UserChange): NewAuditEvent[] => {
  if (before === after) return []
  const [record, kind] = before
    ? ([before._id, after ? 'scim_user.changed' : 'scim_user.removed'] as const)
    : ([after?._id ?? null, 'scim_user.created'] as const)
  return [{ kind, record, before: before && toUserValues(before), after: after && toUserValues(after) }]
}

const toGroupValues = ({ displayName, externalId, memberCount }: StoredGroup): object => ({
  displayName,
  externalId,
  members: memberCount,
})

/** The events of a changed group, with the ids of added and removed members; none if a request changed nothing. */
export const toGroupEvents = ({ before, after, members: { added, removed } }: GroupChange): NewAuditEvent[] => {
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

export const toGroupRemovalEvents = (group: StoredGroup): NewAuditEvent[] => [
  { kind: 'scim_group.removed', record: group._id, before: toGroupValues(group) },
]
