import { defineEdit, findByIdOrSlug, handleEdit } from '../../platform/server/edit-handler.ts'
import { handle, handleCreate, handleList, handleRecord, type Route } from '../../platform/server/handler.ts'
import { readRecord } from '../../platform/server/read-model/read-record.ts'
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
import { insertPerson, savePerson, toStoredPerson, UNIQUE_PERSON_FIELDS } from './mutations.server.ts'
import { listPeopleOf, listRolesOf, toPerson, toPersonWithSites } from './queries.server.ts'
import { getPersonUrl, formatVcard } from './rules.ts'

export const personEdit = defineEdit({
  call: updatePerson,
  table: 'person',
  findKey: findByIdOrSlug('person'),
  toInput: toStoredPerson,
  dependentFields: UNIQUE_PERSON_FIELDS.map(({ path }) => path),
  save: savePerson,
  respond: toPersonWithSites,
})

export const peopleRoutes: Route[] = [
  handleList(listPeople, listPeopleOf()),
  handleList(listPeopleOfGroup, (params) => {
    const group = RoleGroup.parse(params['group'])
    return { name: `people of ${group}`, source: listPeopleOf(group) }
  }),
  handleRecord(readPerson, 'person', 'slug', toPersonWithSites),
  handleEdit(personEdit),
  handleCreate(createPerson, 'person', insertPerson, (model, person) => toPerson(model, person)),
  handle(readVcard, async ({ params, context, reply }) => {
    const person = await readRecord(context.readModel, 'person', params.slug, toPersonWithSites)
    return reply
      .type('text/vcard; charset=utf-8')
      .header('content-disposition', `attachment; filename="${person.slug.replace(/[^\w.-]/g, '_')}.vcf"`)
      .send(formatVcard(person, getPersonUrl(context.configuration.publicUrl, person)))
  }),
  handleList(listRoles, listRolesOf()),
  handleList(listLeadershipRoles, listRolesOf('LEADERSHIP')),
  handleList(listStudentSupportRoles, listRolesOf('STUDENT_SUPPORT')),
]
