import type { z } from 'zod'

import { isClosed } from '../../contract/status.ts'
import { defineRowList } from '../../platform/server/read-model/list-source.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import {
  sortByTexts,
  getId,
  getPictureUrl,
  toArchived,
  toCheckFields,
  toMoment,
  toRecordFields,
  toSiteStatuses,
  toSiteSummaries,
} from '../../platform/server/read-model/references.ts'
import { getReferenced } from '../../platform/server/read-model/table-rows.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { ListedRow } from '../../platform/server/record-editor.ts'
import type { Charter, CharterWithSites, StudentTotal } from './contract.ts'

const toCharterAs = <S>(model: ReadModel, charter: ModelRow<'charter'>, sites: S) => {
  const brand = model.table('brand').need(charter.brand)
  return {
    _id: charter._id,
    slug: charter.slug,
    name: charter.name,
    abbreviation: charter.abbreviation,
    brand: charter.brand,
    brandName: brand.brandName,
    brandPhoto: getPictureUrl(brand.brandPhoto),
    brandIcon: getPictureUrl(brand.brandIcon),
    status: charter.status,
    studentCount: charter.studentCount,
    studentCountUpdatedAt: toMoment(charter.studentCountUpdatedAt),
    schoolTypeUrls: charter.schoolTypeUrls,
    photo: getPictureUrl(charter.photo),
    charterWebsite: charter.charterWebsite,
    charterContactnumber: charter.charterContactnumber,
    charter_number: charter.charter_number,
    charter_grade_levels: charter.charter_grade_levels,
    directory_id: charter.directory_id,
    // Only whether there is a charter affair, because the content needs a higher access level.
    charter_affair_info: model
      .table('charter_affair')
      .where('charter', charter._id)
      .map(({ _id }) => ({ _id })),
    ...toRecordFields(charter),
    ...toCheckFields(charter),
    ...toArchived(charter),
    sites,
  }
}

/** A charter with its sites' status. */
export const toCharter = (model: ReadModel, charter: ModelRow<'charter'>): Charter =>
  toCharterAs(model, charter, toSiteStatuses(model.table('site').where('charter', charter._id)))

/** A charter with the summaries of its sites. */
export const toCharterWithSites = (model: ReadModel, charter: ModelRow<'charter'>): CharterWithSites =>
  toCharterAs(model, charter, toSiteSummaries(model, model.table('site').where('charter', charter._id)))

const inOrder = (model: ReadModel): ModelRow<'charter'>[] => sortByTexts(model.table('charter').all(), ({ name }) => name, getId)

/** All charters, by name. */
export const toCharters = (model: ReadModel): Charter[] => inOrder(model).map((charter) => toCharter(model, charter))

export const CHARTER_ROWS = defineRowList(
  'charter',
  (model) => inOrder(model).map(getId),
  toCharter,
  (model, change) => {
    if (change.table === 'brand') return model.table('charter').where('brand', change.key).map(getId)
    return change.table === 'site' || change.table === 'charter_affair' ? getReferenced(change, 'charter') : []
  },
)

/** The number of students in all open charters, and when a count last changed. */
export const getStudentTotal = (model: ReadModel): z.infer<typeof StudentTotal> => {
  const charters = [...model.table('charter').all()]
  const moments = charters.flatMap(({ studentCountUpdatedAt }) => studentCountUpdatedAt ?? []).toSorted()
  return {
    total: charters.reduce((total, { status, studentCount }) => total + (isClosed(status) ? 0 : (studentCount ?? 0)), 0),
    updatedAt: toMoment(moments.at(-1) ?? null),
  }
}

/** The name and page of a charter; undefined if it is deleted. */
export const describeCharter = (model: ReadModel, _id: string) => {
  const row = model.table('charter').get(_id)
  return row && { slug: row.slug, name: row.name, site: null, region: null }
}

/** All charters, as rows of sheets. */
export const listCharterRows = (model: ReadModel): ListedRow[] =>
  [...model.table('charter').all()].map(({ _id, name, status }) => ({ _id, name, owner: _id, charter: _id, status }))
