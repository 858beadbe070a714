import { jsonListBytes } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { recordText } from '../../../database/record-by-address.server.ts'
import { claim } from '../../../database/saving.server.ts'
import { JsonText, on, onList, type Route } from '../../../platform/server/handler.ts'
import {
  createPerson,
  listLeadershipRoles,
  listPeople,
  listPeopleOfGroup,
  listRoles,
  listStudentSupportRoles,
  readPerson,
  readVcard,
  RoleGroup,
  updatePerson,
} from './contract.ts'
import { insertPerson, savePerson, getStoredPerson } from './mutations.server.ts'
import { getListedPerson, PERSON_STATEMENT, getPerson, selectPersonList, selectRoleList, AFFECTED_PEOPLE } from './queries.server.ts'
import { getPersonUrl, formatVcard } from './rules.ts'

const reads = ['person', 'site_person', 'role', 'site'] as const

export const peopleRoutes: Route[] = [
  onList(listPeople, {
    reads,
    build: { of: 'person', rows: (db) => selectPersonList(db), placedBy: ['person'], touched: AFFECTED_PEOPLE },
  }),
  onList(listPeopleOfGroup, (params) => {
    const group = RoleGroup.parse(params['group'])
    return {
      name: `people of ${group}`,
      source: {
        reads,
        build: { of: 'person', rows: (db) => selectPersonList(db, group), placedBy: ['person', 'site_person'], touched: AFFECTED_PEOPLE },
      },
    }
  }),
  on(readPerson, async ({ params, house }) => new JsonText(await recordText(house.pool, PERSON_STATEMENT, params.slug))),
  on(updatePerson, async ({ params, settled, edit }) =>
    edit(async (tx, seen) => {
      const _id = await idOf(tx, 'person', params.id)
      await claim(tx, 'person', _id, seen)
      await savePerson(tx, _id, settled(await getStoredPerson(tx, _id)))
      return getPerson(tx, _id)
    }),
  ),
  on(createPerson, async ({ body, edit }) => edit(async (tx) => getListedPerson(tx, await insertPerson(tx, body)))),
  on(readVcard, async ({ params, house, reply }) => {
    const person = await getPerson(house.db, params.slug)
    return reply
      .type('text/vcard; charset=utf-8')
      .header('content-disposition', `attachment; filename="${person.slug.replace(/[^\w.-]/g, '_')}.vcf"`)
      .send(formatVcard(person, getPersonUrl(house.configuration.publicUrl, person)))
  }),
  onList(listRoles, { reads: ['role'], build: ({ db, pool }) => jsonListBytes(pool, selectRoleList(db)) }),
  onList(listLeadershipRoles, { reads: ['role'], build: ({ db, pool }) => jsonListBytes(pool, selectRoleList(db, 'LEADERSHIP')) }),
  onList(listStudentSupportRoles, { reads: ['role'], build: ({ db, pool }) => jsonListBytes(pool, selectRoleList(db, 'STUDENT_SUPPORT')) }),
]
