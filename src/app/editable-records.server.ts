import { getLabels, nestFields } from '../contract/field-definitions.ts'
import { notFound } from '../contract/problem.ts'
import { toSlug } from '../contract/slugs.ts'
import type { Queryable } from '../database/connection.server.ts'
import type { ReadModel } from '../platform/server/read-model/read-model.ts'
import { getModelId } from '../platform/server/read-model/read-record.ts'
import { defineCreation, type EditableRecordKind, type RecordKinds } from '../platform/server/record-editor.ts'
import { createPart } from '../platform/server/record-part.ts'
import { createBrand } from '../records/brands/contract.ts'
import { brandLabels } from '../records/brands/fields.ts'
import { insertBrand } from '../records/brands/mutations.server.ts'
import { brandEdit } from '../records/brands/routes.server.ts'
import { affairLabels, sectionTitles } from '../records/charter-affairs/fields.ts'
import { ensureAffair } from '../records/charter-affairs/mutations.server.ts'
import { affairEdit } from '../records/charter-affairs/routes.server.ts'
import { createCharter } from '../records/charters/contract.ts'
import { charterLabels } from '../records/charters/fields.ts'
import { insertCharter, UNIQUE_CHARTER_FIELDS } from '../records/charters/mutations.server.ts'
import { charterEdit } from '../records/charters/routes.server.ts'
import { enrollmentRequestLabels } from '../records/enrollment/fields.ts'
import { enrollmentEdit } from '../records/enrollment/routes.server.ts'
import { facilityLabels } from '../records/facility/fields.ts'
import { facilityEdit } from '../records/facility/routes.server.ts'
import { createPerson } from '../records/people/contract.ts'
import { personLabels } from '../records/people/fields.ts'
import { insertPerson, UNIQUE_PERSON_FIELDS } from '../records/people/mutations.server.ts'
import { personEdit } from '../records/people/routes.server.ts'
import { createSite } from '../records/sites/contract.ts'
import { ADDRESS_FIELDS, SITE_FIELDS } from '../records/sites/fields.ts'
import { insertSite, validateSite } from '../records/sites/mutations.server.ts'
import { siteEdit } from '../records/sites/routes.server.ts'
import { affairLists } from './editable-affair-lists.server.ts'
import { rowKinds } from './editable-rows.server.ts'
import { rolesPart, staffPart } from './editable-site-staff.server.ts'

const siteOf = (model: ReadModel, key: string) => {
  const site = model.table('site').get(key)
  return site && { slug: site.slug, name: site.displayName, site: site._id, region: site.region }
}

/** Requests about a person are assigned to the region they work in, if there is exactly one. */
const findRegion = (model: ReadModel, person: string): string | null => {
  const regions = new Set(
    model
      .table('site_person')
      .where('person', person)
      .map(({ site }) => model.table('site').need(site).region),
  )
  return regions.size === 1 ? ([...regions][0] ?? null) : null
}

const byIdOrSlug = (table: 'site' | 'person' | 'charter' | 'brand') => async (_db: Queryable, model: ReadModel, idOrSlug: string) =>
  getModelId(model, table, idOrSlug)

const site: EditableRecordKind = {
  kind: 'site',
  readCapability: 'browse the directory',
  editCapability: siteEdit.call.capability,
  parts: [
    createPart(siteEdit, { labels: { ...getLabels(SITE_FIELDS), ...getLabels(nestFields('address', ADDRESS_FIELDS)) } }),
    createPart(facilityEdit, { prefix: 'facility_info', labels: facilityLabels }),
    createPart(enrollmentEdit, { prefix: 'enrollment_info', labels: enrollmentRequestLabels }),
    staffPart,
    rolesPart,
  ],
  findKey: byIdOrSlug('site'),
  describe: siteOf,
  create: defineCreation(createSite, insertSite, {
    toBody: (values) => ({ address: {}, enrollment_info: {}, ...values }),
    check: (given) => validateSite(given, {}),
  }),
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
  unique: UNIQUE_PERSON_FIELDS,
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
  unique: UNIQUE_CHARTER_FIELDS,
  create: defineCreation(createCharter, insertCharter, {
    // Its form derives the slug from the name.
    toBody: (values) => ({ slug: toSlug(typeof values['name'] === 'string' ? values['name'] : ''), ...values }),
  }),
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

/** An affair is identified by its charter, which always exists before it. */
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

/** All record kinds that have a form, with their parts. */
export const recordKinds: RecordKinds = { site, person, charter, brand, charter_affair: charterAffair, ...rowKinds }
