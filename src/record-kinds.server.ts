import { sql } from 'kysely'
import { z } from 'zod'

import { affairLists } from './affair-lists.server.ts'
import { getLabels, nestFields } from './contract/field-definitions.ts'
import { id } from './contract/fields.ts'
import { invalidFields, notFound, Problem, toFieldErrors } from './contract/problem.ts'
import { toSlug } from './contract/slugs.ts'
import type { Queryable } from './database/connection.server.ts'
import { lockForUpdate } from './database/update-record.server.ts'
import { createBrand } from './features/records/brands/contract.ts'
import { brandLabels } from './features/records/brands/fields.ts'
import { insertBrand } from './features/records/brands/mutations.server.ts'
import { brandEdit } from './features/records/brands/routes.server.ts'
import { affairLabels, sectionTitles } from './features/records/charter-affairs/fields.ts'
import { ensureAffair } from './features/records/charter-affairs/mutations.server.ts'
import { affairEdit } from './features/records/charter-affairs/routes.server.ts'
import { createCharter } from './features/records/charters/contract.ts'
import { charterLabels } from './features/records/charters/fields.ts'
import { insertCharter } from './features/records/charters/mutations.server.ts'
import { charterEdit } from './features/records/charters/routes.server.ts'
import { ORIENTATION_DAYS } from './features/records/enrollment/contract.ts'
import { enrollmentEdit } from './features/records/enrollment/routes.server.ts'
import { enrollmentLabels, orientationLabels } from './features/records/enrollment/rules.ts'
import { facilityLabels } from './features/records/facility/fields.ts'
import { facilityEdit } from './features/records/facility/routes.server.ts'
import { createPerson } from './features/records/people/contract.ts'
import { personLabels } from './features/records/people/fields.ts'
import { insertPerson } from './features/records/people/mutations.server.ts'
import { personEdit } from './features/records/people/routes.server.ts'
import { addSiteStaff, ROLE_REQUIRED } from './features/records/site-staff/contract.ts'
import { deleteSiteStaff, insertSiteStaff } from './features/records/site-staff/mutations.server.ts'
import { createSite } from './features/records/sites/contract.ts'
import { ADDRESS_FIELDS, SITE_FIELDS } from './features/records/sites/fields.ts'
import { insertSite } from './features/records/sites/mutations.server.ts'
import { siteEdit } from './features/records/sites/routes.server.ts'
import type { ReadModel } from './platform/server/read-model/read-model.ts'
import { getModelId } from './platform/server/read-model/read-record.ts'
import {
  createPart,
  defineCreation,
  type EditableRecordKind,
  lockRows,
  type RecordKinds,
  type RecordPart,
} from './platform/server/record-editor.ts'
import { rowKinds } from './row-kinds.server.ts'

/** Who has which role at a site: `{[person]: {[role]: true}}`. A field is one role of one person. */
const StaffInput = z.record(id, z.record(id, z.boolean()))

const readStaff = async (db: Queryable, sites: readonly string[]): Promise<ReadonlyMap<string, z.infer<typeof StaffInput>>> => {
  const { rows } = await sql<{ site: string; people: z.infer<typeof StaffInput> }>`
    select site._id as site, coalesce(people, '{}') as people from site left join (
      select site, jsonb_object_agg(person, roles) as people from (
        select site, person, jsonb_object_agg(role, true) as roles from site_person group by site, person) as held group by site
    ) as staff on staff.site = site._id
    where site._id = any(${[...sites]}::text[])`.execute(db)
  return new Map(rows.map(({ site, people }) => [site, people]))
}

const staffPart: RecordPart = {
  prefix: 'people',
  table: 'site_person',
  capability: addSiteStaff.capability,
  readInputs: (db, _model, keys) => readStaff(db, keys),
  lock: (tx, keys) => lockRows(tx, 'site', '_id', keys),
  save: async (tx, _model, site, changes) => {
    await lockForUpdate(tx, 'site', site, undefined)
    const checked = StaffInput.safeParse(changes)
    if (!checked.success) throw invalidFields(toFieldErrors(checked.error))
    const stored = (await readStaff(tx, [site])).get(site)
    for (const [person, roles] of Object.entries(checked.data))
      for (const [role, isHeld] of Object.entries(roles)) {
        if ((stored?.[person]?.[role] ?? false) === isHeld) continue
        try {
          if (isHeld) await insertSiteStaff(tx, site, { person, role_match: role })
          else await deleteSiteStaff(tx, site, { person_id: person, role_id: role })
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          throw invalidFields([{ path: `${person}.${role}`, message: error.errors?.[0]?.message ?? error.message }])
        }
      }
    return checked.data
  },
  getLabel: (path, model) => {
    const [person = '', role = ''] = path.split('.')
    return [model.table('role').get(role)?.name ?? 'Role', model.table('person').get(person)?.name ?? 'someone'].join(': ')
  },
  isGroup: (path) => !path.includes('.'),
}

/** Who holds each role at a site: `{[role]: [person]}`. A field is one role, so that its people are replaced as one. */
const RolesInput = z.record(id, z.array(id).max(100))

const readRoles = async (db: Queryable, sites: readonly string[]): Promise<ReadonlyMap<string, z.infer<typeof RolesInput>>> => {
  const { rows } = await sql<{ site: string; roles: z.infer<typeof RolesInput> }>`
    select site._id as site, coalesce(roles, '{}') as roles from site left join (
      select site, jsonb_object_agg(role, people) as roles from (
        select site, role, jsonb_agg(person order by person) as people from site_person group by site, role) as held group by site
    ) as staff on staff.site = site._id
    where site._id = any(${[...sites]}::text[])`.execute(db)
  // A role that no one holds has nobody, so that people can be added to it.
  const { rows: all } = await sql<{ _id: string }>`select _id from role`.execute(db)
  const vacant = Object.fromEntries(all.map(({ _id }) => [_id, []]))
  return new Map(rows.map(({ site, roles }) => [site, { ...vacant, ...roles }]))
}

const rolesPart: RecordPart = {
  prefix: 'roles',
  table: 'site_person',
  capability: addSiteStaff.capability,
  toInput: (row) => row,
  readInputs: (db, _model, keys) => readRoles(db, keys),
  lock: (tx, keys) => lockRows(tx, 'site', '_id', keys),
  save: async (tx, _model, site, changes) => {
    await lockForUpdate(tx, 'site', site, undefined)
    const checked = RolesInput.safeParse(changes)
    if (!checked.success) throw invalidFields(toFieldErrors(checked.error))
    const stored = (await readRoles(tx, [site])).get(site) ?? {}
    const saved: Record<string, string[]> = {}
    for (const [role, people] of Object.entries(checked.data)) {
      const held = stored[role]
      if (held === undefined) throw invalidFields([{ path: role, message: ROLE_REQUIRED }])
      try {
        for (const person of held) if (!people.includes(person)) await deleteSiteStaff(tx, site, { person_id: person, role_id: role })
        for (const person of new Set(people)) if (!held.includes(person)) await insertSiteStaff(tx, site, { person, role_match: role })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        throw invalidFields([{ path: role, message: error.errors?.[0]?.message ?? error.message }])
      }
      saved[role] = [...new Set(people)].toSorted()
    }
    return saved
  },
  getLabel: (path, model) => model.table('role').get(path)?.name ?? 'Role',
  isGroup: () => false,
}

const siteOf = (model: ReadModel, key: string) => {
  const site = model.table('site').get(key)
  return site && { slug: site.slug, name: site.displayName, site: site._id, region: site.region }
}

/** Requests about a person go to the region they work in, if it is one. */
const findRegion = (model: ReadModel, person: string): string | null => {
  const regions = new Set(
    model
      .table('site_person')
      .where('person', person)
      .map(({ site }) => model.table('site').need(site).region),
  )
  return regions.size === 1 ? ([...regions][0] ?? null) : null
}

const byIdOrSlug = (table: 'site' | 'person' | 'charter' | 'brand') => (_db: Queryable, model: ReadModel, idOrSlug: string) =>
  Promise.resolve(getModelId(model, table, idOrSlug))

const site: EditableRecordKind = {
  kind: 'site',
  readCapability: 'browse the directory',
  editCapability: siteEdit.call.capability,
  parts: [
    createPart(siteEdit, { labels: { ...getLabels(SITE_FIELDS), ...getLabels(nestFields('address', ADDRESS_FIELDS)) } }),
    createPart(facilityEdit, { prefix: 'facility_info', labels: facilityLabels }),
    createPart(enrollmentEdit, {
      prefix: 'enrollment_info',
      labels: {
        ...enrollmentLabels,
        orientationLink: orientationLabels.virtual_orientation_link,
        individualDates: orientationLabels.selected_dates,
        ...Object.fromEntries(ORIENTATION_DAYS.map((day) => [`recurringDates.${day}`, `${orientationLabels.recurring_dates}: ${day}`])),
        blackoutDates: orientationLabels.blackout_dates,
      },
    }),
    staffPart,
    rolesPart,
  ],
  findKey: byIdOrSlug('site'),
  describe: siteOf,
  create: defineCreation(createSite, insertSite, (values) => ({ address: {}, enrollment_info: {}, ...values })),
  references: {
    region: 'region',
    charter: 'charter',
    photo: 'picture',
    'enrollment_info.programTypes': 'program_type',
    'roles.*': 'person',
  },
}

const person: EditableRecordKind = {
  kind: 'person',
  readCapability: 'browse the directory',
  editCapability: personEdit.call.capability,
  parts: [createPart(personEdit, { labels: personLabels })],
  findKey: byIdOrSlug('person'),
  describe: (model, key) => {
    const row = model.table('person').get(key)
    return row && { slug: row.slug, name: row.name, site: null, region: findRegion(model, key) }
  },
  create: defineCreation(createPerson, insertPerson),
  references: {},
}

const describeCharter = (model: ReadModel, key: string) => {
  const row = model.table('charter').get(key)
  return row && { slug: row.slug, name: row.name, site: null, region: null }
}

const charter: EditableRecordKind = {
  kind: 'charter',
  readCapability: 'browse the directory',
  editCapability: charterEdit.call.capability,
  parts: [createPart(charterEdit, { labels: charterLabels })],
  findKey: byIdOrSlug('charter'),
  describe: describeCharter,
  // Its form suggests the slug from the name.
  create: defineCreation(createCharter, insertCharter, (values) => ({
    slug: toSlug(typeof values['name'] === 'string' ? values['name'] : ''),
    ...values,
  })),
  references: { brand: 'brand', photo: 'picture' },
}

const brand: EditableRecordKind = {
  kind: 'brand',
  readCapability: 'browse the directory',
  editCapability: brandEdit.call.capability,
  parts: [createPart(brandEdit, { labels: brandLabels })],
  findKey: byIdOrSlug('brand'),
  describe: (model, key) => {
    const row = model.table('brand').get(key)
    return row && { slug: row._id, name: row.brandName, site: null, region: null }
  },
  create: defineCreation(createBrand, insertBrand),
  references: { brandPhoto: 'picture', brandIcon: 'picture' },
}

/** An affair is known by its charter, which is there before it. */
const charterAffair: EditableRecordKind = {
  kind: 'charter_affair',
  readCapability: 'read a charter affair',
  editCapability: affairEdit.call.capability,
  parts: [
    createPart(affairEdit, {
      labels: Object.fromEntries(
        Object.entries(affairLabels).flatMap(([section, labels]) =>
          Object.entries(labels).map(([field, label]) => [
            `${section}.${field}`,
            `${sectionTitles[section as keyof typeof affairLabels]}: ${label}`,
          ]),
        ),
      ),
      keyColumn: 'charter',
      ensure: ensureAffair,
    }),
    ...affairLists,
  ],
  findKey: async (_db, model, idOrSlug) => {
    const own = model.table('charter_affair').get(idOrSlug)
    const key = own?.charter ?? model.findId('charter', idOrSlug)
    if (key === undefined) throw notFound('Charter affair')
    return Promise.resolve(key)
  },
  describe: describeCharter,
  references: {},
}

/** Every kind of record that has a form, with its parts. */
export const recordKinds: RecordKinds = { site, person, charter, brand, charter_affair: charterAffair, ...rowKinds }
