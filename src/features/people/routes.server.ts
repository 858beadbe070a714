import { jsonListBytes } from '../../database/json.server.ts'
import { on, onList, type Route } from '../../platform/server/handler.ts'
import {
  listLeadershipRoles,
  listPeople,
  listPeopleOfGroup,
  listRoles,
  listStudentSupportRoles,
  readPerson,
  RoleGroup,
} from './contract.ts'
import { personBy, personList, roleList } from './queries.server.ts'

const reads = ['person', 'site_person', 'role', 'site'] as const

export const peopleRoutes: Route[] = [
  onList(listPeople, { reads, build: ({ db, pool }) => jsonListBytes(pool, personList(db)) }),
  onList(listPeopleOfGroup, (params) => {
    const group = RoleGroup.parse(params['group'])
    return { name: `people of ${group}`, source: { reads, build: ({ db, pool }) => jsonListBytes(pool, personList(db, group)) } }
  }),
  on(readPerson, async ({ params, house }) => personBy(house.db, params.slug)),
  onList(listRoles, { reads: ['role'], build: ({ db, pool }) => jsonListBytes(pool, roleList(db)) }),
  onList(listLeadershipRoles, { reads: ['role'], build: ({ db, pool }) => jsonListBytes(pool, roleList(db, 'LEADERSHIP')) }),
  onList(listStudentSupportRoles, { reads: ['role'], build: ({ db, pool }) => jsonListBytes(pool, roleList(db, 'STUDENT_SUPPORT')) }),
]
