import { readJsonListBytes } from '../../../database/json.server.ts'
import { readRecordJson } from '../../../database/record-statement.server.ts'
import { findByIdOrSlug, handleEdit } from '../../../platform/server/edit-handler.ts'
import { JsonText, handle, handleList, type Route } from '../../../platform/server/handler.ts'
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
  handleList(listPeople, {
    reads,
    build: { table: 'person', rows: (db) => selectPersonList(db), orderedBy: ['person'], findAffected: AFFECTED_PEOPLE },
  }),
  handleList(listPeopleOfGroup, (params) => {
    const group = RoleGroup.parse(params['group'])
    return {
      name: `people of ${group}`,
      source: {
        reads,
        build: {
          table: 'person',
          rows: (db) => selectPersonList(db, group),
          orderedBy: ['person', 'site_person'],
          findAffected: AFFECTED_PEOPLE,
        },
      },
    }
  }),
  handle(readPerson, async ({ params, context }) => new JsonText(await readRecordJson(context.pool, PERSON_STATEMENT, params.slug))),
  handleEdit(updatePerson, {
    table: 'person',
    findKey: findByIdOrSlug('person'),
    getStored: getStoredPerson,
    save: savePerson,
    read: { inTransaction: getPerson },
  }),
  handle(createPerson, async ({ body, edit }) => edit(async (tx) => getListedPerson(tx, await insertPerson(tx, body)))),
  handle(readVcard, async ({ params, context, reply }) => {
    const person = await getPerson(context.db, params.slug)
    return reply
      .type('text/vcard; charset=utf-8')
      .header('content-disposition', `attachment; filename="${person.slug.replace(/[^\w.-]/g, '_')}.vcf"`)
      .send(formatVcard(person, getPersonUrl(context.configuration.publicUrl, person)))
  }),
  handleList(listRoles, { reads: ['role'], build: ({ db, pool }) => readJsonListBytes(pool, selectRoleList(db)) }),
  handleList(listLeadershipRoles, { reads: ['role'], build: ({ db, pool }) => readJsonListBytes(pool, selectRoleList(db, 'LEADERSHIP')) }),
  handleList(listStudentSupportRoles, {
    reads: ['role'],
    build: ({ db, pool }) => readJsonListBytes(pool, selectRoleList(db, 'STUDENT_SUPPORT')),
  }),
]
