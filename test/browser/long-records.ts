import type { BrowserContext } from '@playwright/test'

import { createBrand } from '../../src/records/brands/contract.ts'
import { createCharter, listCharters } from '../../src/records/charters/contract.ts'
import { createPerson, listRoles } from '../../src/records/people/contract.ts'
import { createSisSite } from '../../src/records/sis-sites/contract.ts'
import { addSiteStaff } from '../../src/records/site-staff/contract.ts'
import { updateSite } from '../../src/records/sites/contract.ts'
import { findRecord, letters, newSite, sendCall } from './records.ts'

const sixty = (begin: string): string => `${begin} ${letters()} of the Greater Sacramento Valley Independent Study`.slice(0, 60)

/** New records for a test, by slug or by _id. */
export interface LongRecords {
  readonly site: string
  readonly charter: string
  readonly brand: string
  readonly person: string
  readonly sis: string
  readonly affair: string
}

/** A network of records with names of maximum length, without photos, numbers or people where those are optional. */
export const longRecords = async (context: BrowserContext): Promise<LongRecords> => {
  const web = `https://${letters()}.independent-study.example`
  const brand = await sendCall(
    context,
    createBrand,
    {},
    {
      brandName: sixty('Brand'),
      websiteUrl: web,
      EnrollmentsUrl: web,
      status: 'CLOSED - TEMPORARILY',
      brandPhoto: null,
      brandIcon: null,
    },
  )
  const charter = await sendCall(
    context,
    createCharter,
    {},
    {
      name: sixty('Charter'),
      slug: letters(),
      abbreviation: 'GSVISCHART',
      brand: brand._id,
      status: 'ACTIVE - TEMPORARY',
      studentCount: 12_345,
      charterWebsite: web,
      charterContactnumber: '916-555-0188',
      schoolTypeUrls: [{ name: 'Independent study for grades kindergarten through twelve', url: web }],
      photo: null,
    },
  )
  const site = await newSite(context, { name: sixty('Site').slice(0, 50), displayName: sixty('Site'), charter: charter._id })
  await sendCall(
    context,
    updateSite,
    { id: site._id },
    {
      status: 'CLOSED - TEMPORARILY',
      category: 'Administrative Office',
      finance_id: '12345678901234567890',
      address: {
        address_1: '12345 North Martin Luther King Junior Boulevard, Building 12',
        address_2: 'Suite 1234',
        city: 'Rancho Santa Margarita-Las Flores',
      },
    },
  )
  const person = await sendCall(
    context,
    createPerson,
    {},
    {
      name: sixty('Wilhelmina'),
      email: `${letters()}.wilhelmina.featherstonehaugh-cholmondeley@independent-study.example`,
      phone: '916-555-0189 x123456',
      fax: null,
      sql_person_id: null,
    },
  )
  for (const role of (await sendCall(context, listRoles)).filter(({ name }) => /Student Relations|Principal|Regional SRM/.test(name)))
    await sendCall(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: role._id })
  const sis = await sendCall(
    context,
    createSisSite,
    {},
    {
      name: sixty('SIS'),
      site: site._id,
      sislc_id: '12345678901234567890',
      charterName: sixty('Charter'),
      type_array: ['Independent study', 'Home study', 'Online education and intersession'],
    },
  )
  const affair = findRecord(await sendCall(context, listCharters), 'charter with an affair', (one) => one.charter_affair_info.length > 0)
  return { site: site.slug, charter: charter.slug, brand: brand._id, person: person.slug, sis: sis._id, affair: affair.slug }
}
