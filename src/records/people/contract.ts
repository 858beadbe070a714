import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { editCall } from '../../contract/edit-call.ts'
import { buildInputShape, buildNewShape } from '../../contract/field-definitions.ts'
import { archivedFields, bySlug, checkFields, id, moment, recordFields, text } from '../../contract/fields.ts'
import { RoleReference, SiteSummary } from '../../contract/references.ts'
import { Status } from '../../contract/status.ts'
import { PERSON_FIELDS } from './fields.ts'

/** The groups of roles. */
export const ROLE_GROUPS = ['LEADERSHIP', 'STUDENT_SUPPORT'] as const
export const RoleGroup = z.enum(ROLE_GROUPS)
export type RoleGroup = z.infer<typeof RoleGroup>

/** A role; `notAt` lists the facility types whose sites do not have it. */
export const Role = RoleReference.extend({ group: RoleGroup, notAt: z.array(z.string()) })
export type Role = z.infer<typeof Role>

/** A site of a person in a list. */
const PersonSite = z.strictObject({
  _id: id,
  slug: z.string(),
  displayName: z.string(),
  city: text,
  state: text,
  status: Status,
  version: z.int(),
})

/** A member of staff. `locations` has one entry per role at each site; `sites` and `roles` have no duplicates. */
export const Person = z.strictObject({
  _id: id,
  slug: z.string(),
  name: z.string(),
  phone: text,
  email: text,
  fax: text,
  sql_person_id: text,
  /** When the person left, or null. People who left have no roles and cannot sign in. */
  leftAt: moment.nullable(),
  sites: z.array(PersonSite),
  roles: z.array(RoleReference),
  locations: z.array(z.strictObject({ _id: id, site: PersonSite, role: RoleReference })),
  ...recordFields,
  ...checkFields,
  ...archivedFields,
})
export type Person = z.infer<typeof Person>

/** One person with the summaries of their sites. */
export const PersonWithSites = Person.extend({
  locations: z.array(z.strictObject({ _id: id, site: SiteSummary, role: RoleReference })),
})
export type PersonWithSites = z.infer<typeof PersonWithSites>

export const listPeople = call('GET', '/locations-api/people', {
  shows: ['person', 'site', 'region'],
  capability: 'browse the directory',
  summary: 'All staff, with their roles and where they hold them.',
  response: z.array(Person),
})

export const listPeopleOfGroup = call('GET', '/locations-api/people_sites_divide/:group', {
  shows: ['person', 'site', 'region'],
  capability: 'browse the directory',
  summary: 'Staff with at least one role in the group, with their roles and locations in that group.',
  params: z.object({ group: RoleGroup }),
  response: z.array(Person),
})

export const readPerson = call('GET', '/locations-api/people_sites_slug/:slug', {
  capability: 'browse the directory',
  summary: 'One person, by slug or _id, with the sites they work at.',
  params: bySlug,
  response: PersonWithSites,
})

/** The editable fields. */
export const PersonInput = z.strictObject(buildInputShape(PERSON_FIELDS))
const PersonChange = PersonInput.partial()
export type PersonChange = z.infer<typeof PersonChange>

export const updatePerson = editCall('PUT', '/locations-api/people/:id', {
  capability: 'edit a person',
  summary: 'Changes the given fields of a person. An email or HR number that another person has is a 409. The slug does not change.',
  body: PersonChange,
  response: PersonWithSites,
})

export const listRoles = call('GET', '/locations-api/roles', {
  shows: ['role'],
  capability: 'browse the directory',
  summary: 'All staff roles.',
  response: z.array(Role),
})

export const listLeadershipRoles = call('GET', '/locations-api/roles/leadership', {
  shows: ['role'],
  capability: 'browse the directory',
  summary: 'The leadership roles.',
  response: z.array(Role),
})

export const listStudentSupportRoles = call('GET', '/locations-api/roles/student-support', {
  shows: ['role'],
  capability: 'browse the directory',
  summary: 'The student-support roles.',
  response: z.array(Role),
})

export const readVcard = call('GET', '/api/people/:slug/vcard', {
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'One person, by slug or _id, as a contact file for phones and Outlook (text/vcard, version 3.0).',
  params: bySlug,
  response: 'contact',
  // A browser downloads it as a file, so no script can set its headers.
  allowCookieOnly: true,
})

/** Someone new. */
export const NewPerson = z.strictObject(buildNewShape(PERSON_FIELDS))
export type NewPerson = z.infer<typeof NewPerson>

export const createPerson = call('POST', '/locations-api/people', {
  capability: 'manage the network',
  summary:
    'Adds a person to the application. The slug is made from the name. An email or HR number that another person has is a 409, with a title that contains Duplicate.',
  body: NewPerson,
  response: Person,
})
