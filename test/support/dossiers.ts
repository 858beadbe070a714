import { setTimeout as pause } from 'node:timers/promises'

import { expect } from 'vitest'

import { createDossier, type Dossier, downloadDossierPdf, downloadDossierZip, readDossier } from '../../src/app/dossier/contract.ts'
import type { BodyOf } from '../../src/contract/call.ts'
import type { Caller, TestApp } from './app.ts'

/** Waits until a dossier is made, or failed. */
export const waitForDossier = async (caller: Caller, _id: string): Promise<Dossier> => {
  let dossier = await caller.send(readDossier, { params: { id: _id } })
  const deadline = Date.now() + 120_000
  while (!['done', 'failed'].includes(dossier.state) && Date.now() < deadline) {
    await pause(50)
    dossier = await caller.send(readDossier, { params: { id: _id } })
  }
  return dossier
}

export interface MadeDossier {
  readonly dossier: Dossier
  readonly pdf: Buffer
  readonly zip: Buffer
}

/** Makes a dossier and downloads its files. */
export const makeDossier = async (caller: Caller, body: BodyOf<typeof createDossier>): Promise<MadeDossier> => {
  const { _id } = await caller.send(createDossier, { body })
  const dossier = await waitForDossier(caller, _id)
  expect(dossier.failure).toBeNull()
  const params = { id: _id }
  const pdf = await caller.trySend(downloadDossierPdf, { params })
  const zip = await caller.trySend(downloadDossierZip, { params })
  expect([pdf.statusCode, zip.statusCode]).toEqual([200, 200])
  return { dossier, pdf: pdf.rawPayload, zip: zip.rawPayload }
}

/** A charter with an affair, members, districts, sites, programs and deadlines; names have accents. */
export const makeDossierCharter = async ({ make }: TestApp, sites = 2) => {
  const region = await make.region()
  const charter = await make.charter({ name: 'Łódź Nguyễn Academy', charter_number: '1234' })
  const affair = await make.affair({
    charter: charter._id,
    overview: JSON.stringify({
      authorizer: 'Santa Clara County Office of Education',
      cds_code: '01 23456 7890123',
      notes: 'Zażółć gęślą jaźń',
    }),
    charter_terms: JSON.stringify({ corporation: 'Bright Harbor, Inc.', no_of_approved_locations: '12' }),
    mou: JSON.stringify({ legal: 'The memorandum is in force.' }),
  })
  await make.member({ charter_affair: affair._id, board_member_name: 'Đặng Thị Hương', board_position: 'President' })
  await make.district({ charter_affair: affair._id, center_name: 'Modesto Center', high_school_district: 'Modesto City High' })
  const program = await make.programType({ name: 'Evening Diploma Program' })
  const made = []
  for (let at = 1; at <= sites; at++) {
    const site = await make.site({ charter: charter._id, region: region._id, displayName: `Côte-d’Or Center ${at}`, phone: '2095550142' })
    const principal = await make.person({ name: `Señora Ångström ${at}`, phone: '2095550199' })
    await make.sitePerson(site._id, 'Principal', principal._id)
    await make.facility(site._id, { lease_holder: 'Fairway Properties', lease_end: '2031-05-31' })
    await make.siteProgram(site._id, program._id)
    made.push(site)
  }
  return { charter, affair, sites: made, region }
}
