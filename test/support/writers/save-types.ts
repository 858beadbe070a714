import { randomBytes } from 'node:crypto'

import sharp from 'sharp'

import { createDeparture } from '../../../src/app/departures/contract.ts'
import type { BodyOf, Call, ResponseOf } from '../../../src/contract/call.ts'
import { uploadPicture } from '../../../src/contract/pictures.ts'
import { answerRequest, sendChangeRequest } from '../../../src/features/changing/requests/contract.ts'
import type { AnyRequest, CallRequest } from '../../../src/platform/web/client.ts'
import { addMember, removeMember, saveCharterAffair, updateMember } from '../../../src/records/charter-affairs/contract.ts'
import { createCharter, updateCharter } from '../../../src/records/charters/contract.ts'
import { updateEnrollment } from '../../../src/records/enrollment/contract.ts'
import { updateFacility } from '../../../src/records/facility/contract.ts'
import { createPerson } from '../../../src/records/people/contract.ts'
import { saveSettings } from '../../../src/records/settings/contract.ts'
import { createSisSite, deleteSisSite, updateSisSite } from '../../../src/records/sis-sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { createSite, updateSite } from '../../../src/records/sites/contract.ts'
import { toLetters, toNewCharter, toNewSite } from '../new-records.ts'
import { pickRandom, takeRandom, type KnownRecords } from './known-records.ts'

/** A history row that an acknowledged save must have left. */
export interface ExpectedChange {
  readonly table: string
  readonly action: 'insert' | 'update' | 'delete'
  /** The record, if the response contains it. */
  readonly record?: string
  /** Column values after it, or before it if the row was deleted. */
  readonly values: object
  /** The version in the response. */
  readonly version?: number | undefined
}

interface SaveOptions {
  readonly version?: number | undefined
  /** The key of the version it expects, which is forgotten if the outcome is unknown. */
  readonly versionKey?: string
  /** Whether someone else's save has invalidated this one in the meantime, so that it may be refused. */
  readonly isOvertaken?: () => boolean
}

/** A pending save: what is sent, and what its response promises. */
export interface Save extends Pick<AnyRequest, 'params' | 'body' | 'file'>, SaveOptions {
  readonly kind: string
  readonly call: Call
  readonly expectedChanges: (answer: unknown) => readonly ExpectedChange[]
}

/** Creates the next save of its kind, with a unique text; undefined if there is nothing to save right now. */
export type BuildSave = (records: KnownRecords, mark: string) => Save | undefined | Promise<Save | undefined>

/** A save with the types of its call. */
const defineSave = <C extends Call>(
  kind: string,
  call: C,
  sent: Omit<CallRequest<C>, 'signal' | 'version'> & SaveOptions,
  expectedChanges: (answer: ResponseOf<C>) => readonly ExpectedChange[],
): Save => ({ kind, call, ...sent, expectedChanges: expectedChanges as Save['expectedChanges'] })

const toAddress = (mark: string): string => `${mark}@writers.test`
const MAX_CREATED_SITES = 400
/** A record is deleted only while there are this many of its kind. */
const MIN_LEFT = 5

const describeChange =
  (action: ExpectedChange['action']) =>
  (table: string, record: string, values: object, version?: number): ExpectedChange[] => [{ table, action, record, values, version }]
const inserted = describeChange('insert')
const updated = describeChange('update')
const deleted = describeChange('delete')

/** The columns of a record that are sent: those of its address are not nested, and programs are separate rows. */
const toColumns = (body: { address?: object; programTypes?: unknown }): object => {
  const { address, programTypes: _, ...columns } = body
  return { ...columns, ...address }
}

/** An edit of one record with the version known to the writers. */
const updateRecord = <C extends Call>(
  kind: string,
  table: string,
  call: C,
  records: KnownRecords,
  id: string,
  body: BodyOf<C> & object,
): Save => {
  const versionKey = `${table} ${id}`
  const expectedChanges: Save['expectedChanges'] = (response) => {
    const { version } = response as { version: number }
    records.versions.set(versionKey, version)
    return updated(table, id, toColumns(body), version)
  }
  return { kind, call, params: { id }, body, version: records.versions.get(versionKey), versionKey, expectedChanges }
}

const pickSite = ({ sites }: KnownRecords): string => pickRandom(sites) ?? ''
const pickCharter = ({ charters }: KnownRecords): string => pickRandom(charters) ?? ''

const changeSite: BuildSave = (records, mark) =>
  updateRecord('a site', 'site', updateSite, records, pickSite(records), {
    finance_id: mark.replaceAll(/\D/g, ''),
    address: { description: mark },
  })

const changeFacility: BuildSave = (records, mark) =>
  updateRecord('a lease', 'facility', updateFacility, records, pickSite(records), { fac_notes: mark, base_rent: mark })

/** The text names the programs saved with it, so that a text with other programs is an incomplete save. */
const changeEnrollment: BuildSave = (records, mark) => {
  const programs = records.programs.filter(() => Math.random() < 0.5).toSorted()
  return updateRecord('an enrollment record with its programs', 'enrollment', updateEnrollment, records, pickSite(records), {
    about: `${mark} offers ${programs.join(' ')}`.trim(),
    registrationEmail: [toAddress(mark)],
    programTypes: programs.map((_id) => ({ _id })),
  })
}

const insertSite: BuildSave = (records, mark) => {
  if (records.sites.length > MAX_CREATED_SITES) return undefined
  const body = toNewSite(`Made by ${mark}`, pickCharter(records), pickRandom(records.regions) ?? '', toAddress(mark))
  return defineSave('a new site with its parts', createSite, { body }, ({ _id }) => {
    records.sites.push(_id)
    return [
      ...inserted('site', _id, { displayName: body.displayName, city: 'Lodi' }, 1),
      ...inserted('facility', _id, {}, 1),
      ...updated('enrollment', _id, body.enrollment_info),
    ]
  })
}

const changeAffair: BuildSave = (records, mark) => {
  const id = pickCharter(records)
  const versionKey = `affair ${id}`
  const body = { overview: { notes: mark }, mou: { locations: mark } }
  const sent = { params: { id }, body, version: records.versions.get(versionKey), versionKey }
  return defineSave('a charter affair', saveCharterAffair, sent, ({ charter_affair_info: [affair] }) => {
    if (!affair) throw new Error('A saved charter affair is missing from its response')
    records.versions.set(versionKey, affair.version)
    return updated('charter_affair', affair._id, body, affair.version)
  })
}

const insertMember: BuildSave = (records, mark) => {
  const id = pickCharter(records)
  const body = { board_member_name: mark }
  return defineSave('a board member', addMember, { params: { id }, body }, ({ charter_affair_info: [affair] }) => {
    const member = affair?.authorizer_board_member.find(({ board_member_name }) => board_member_name === mark)
    if (!member) throw new Error('An added board member is missing from the response')
    records.members.push({ _id: member._id, charter: id })
    return inserted('authorizer_board_member', member._id, body, 1)
  })
}

/** A record taken from the list is not changed by anyone else in the meantime. */
const changeMember: BuildSave = (records, mark) => {
  const member = takeRandom(records.members)
  if (!member) return undefined
  const { _id, charter: id } = member
  return defineSave('a board member', updateMember, { params: { id }, body: { _id, board_term: mark } }, () => {
    records.members.push(member)
    return updated('authorizer_board_member', _id, { board_term: mark })
  })
}

const removeBoardMember: BuildSave = (records) => {
  const member = takeRandom(records.members, MIN_LEFT)
  if (!member) return undefined
  const params = { id: member.charter, memberId: member._id }
  return defineSave('a board member', removeMember, { params }, () => deleted('authorizer_board_member', member._id, {}))
}

const insertPerson: BuildSave = (records, mark) =>
  defineSave('a person', createPerson, { body: { name: `Made by ${mark}`, email: toAddress(mark) } }, ({ _id }) => {
    records.people.push(_id)
    return inserted('person', _id, { email: toAddress(mark) }, 1)
  })

const addStaff: BuildSave = (records) => {
  const [site, person, role] = [pickSite(records), pickRandom(records.people), pickRandom(records.roles) ?? '']
  if (person === undefined) return undefined
  const isOvertaken = (): boolean => records.left.has(person)
  const sent = { params: { id: site }, body: { person, role_match: role }, isOvertaken }
  return defineSave('staff of a site', addSiteStaff, sent, ({ people }) => {
    const added = people.find((entry) => entry.person._id === person && entry.role_match._id === role)
    // Someone who leaves before the response is built is no longer in it.
    if (!added && isOvertaken()) return [{ table: 'site_person', action: 'insert', values: { site, person, role } }]
    if (!added) throw new Error('Staff added to a site is missing from the response')
    if (!isOvertaken()) records.places.push({ _id: added._id, site, person, role })
    return inserted('site_person', added._id, { site, person, role })
  })
}

const removeStaff: BuildSave = (records) => {
  const place = takeRandom(records.places, MIN_LEFT)
  if (!place) return undefined
  const { _id, site, person, role } = place
  const isOvertaken = (): boolean => records.left.has(person)
  const sent = { params: { id: site }, body: { person_id: person, role_id: role }, isOvertaken }
  return defineSave('staff of a site', removeSiteStaff, sent, () => deleted('site_person', _id, { site, person, role }))
}

const markAsLeft: BuildSave = (records) => {
  const person = takeRandom(records.people, MIN_LEFT)
  if (person === undefined) return undefined
  records.left.add(person)
  for (const place of records.places.filter((one) => one.person === person)) records.places.splice(records.places.indexOf(place), 1)
  return defineSave('someone who leaves', createDeparture, { params: { id: person }, body: {} }, ({ leftAt, version }) => {
    if (leftAt === null) throw new Error('The response shows someone who left as present')
    return updated('person', person, {}, version)
  })
}

const insertSisSite: BuildSave = (records, mark) => {
  const body = { name: mark, site: pickSite(records) }
  return defineSave('a SIS site', createSisSite, { body }, ({ _id }) => {
    records.sisSites.push(_id)
    return inserted('sis_site', _id, body, 1)
  })
}

const changeSisSite: BuildSave = (records, mark) => {
  const id = takeRandom(records.sisSites)
  if (id === undefined) return undefined
  const save = updateRecord('a SIS site', 'sis_site', updateSisSite, records, id, { charterName: mark })
  const expectedChanges: Save['expectedChanges'] = (response) => {
    records.sisSites.push(id)
    return save.expectedChanges(response)
  }
  return { ...save, expectedChanges }
}

const removeSisSite: BuildSave = (records) => {
  const id = takeRandom(records.sisSites, MIN_LEFT)
  return id === undefined ? undefined : defineSave('a SIS site', deleteSisSite, { params: { id } }, () => deleted('sis_site', id, {}))
}

const insertCharter: BuildSave = (records, mark) => {
  if (records.charters.length > MAX_CREATED_SITES / 4) return undefined
  const name = `Charter ${toLetters(mark)}`
  return defineSave('a charter', createCharter, { body: toNewCharter(name, pickRandom(records.brands) ?? '') }, ({ _id }) => {
    records.charters.push(_id)
    return inserted('charter', _id, { name }, 1)
  })
}

const changeCharter: BuildSave = (records, mark) =>
  updateRecord('a charter', 'charter', updateCharter, records, pickCharter(records), { charterWebsite: `https://${mark}.test` })

const requestChange: BuildSave = (records, mark) => {
  const site = pickSite(records)
  return defineSave('a request with its mail', sendChangeRequest, { body: { site, correctText: mark } }, ({ _id }) => {
    records.requests.push(_id)
    return inserted('request', _id, { text: mark, site }, 1)
  })
}

const answerOpenRequest: BuildSave = (records, mark) => {
  const id = takeRandom(records.requests)
  if (id === undefined) return undefined
  const body = { state: 'done', word: mark } as const
  return defineSave('an answer with its mail', answerRequest, { params: { id }, body }, ({ version }) =>
    updated('request', id, body, version),
  )
}

const changeSettings: BuildSave = (_records, mark) => {
  const body = { organisation: mark, supportRequestsTo: [toAddress(mark)] }
  return defineSave('the settings', saveSettings, { body }, ({ version }) => [
    { table: 'setting', action: version === 1 ? 'insert' : 'update', values: { value: body }, version },
  ])
}

/** Verified by its bytes: the id of a picture is their SHA-256. */
const addPicture: BuildSave = async (records) => {
  const raw = { width: 12, height: 12, channels: 3 } as const
  const png = await sharp(randomBytes(raw.width * raw.height * raw.channels), { raw })
    .png()
    .toBuffer()
  return defineSave('a picture', uploadPicture, { file: new Blob([Uint8Array.from(png)], { type: 'image/png' }) }, ({ _id }) => {
    records.pictures.push(_id)
    return []
  })
}

const changePhoto: BuildSave = (records, mark) => {
  const [id, photo] = [pickSite(records), pickRandom(records.pictures)]
  if (photo === undefined) return undefined
  const sent = { params: { id }, body: { photo, address: { closures: mark } } }
  return defineSave('a site with a picture', updateSite, sent, ({ version }) => updated('site', id, toColumns(sent.body), version))
}

/** Every type of save, by its share of the saves; requests and pictures stay below the limits of one person. */
export const SAVE_TYPES: readonly (readonly [number, readonly BuildSave[]])[] = [
  [14, [changeSite, changeEnrollment]],
  [12, [changeFacility]],
  [8, [changeAffair, addStaff]],
  [6, [insertMember]],
  [5, [insertSite, insertPerson, changeCharter]],
  [4, [changeMember, removeStaff, insertSisSite, changeSisSite, requestChange, addPicture, changePhoto]],
  [3, [removeBoardMember, answerOpenRequest]],
  [2, [markAsLeft, removeSisSite, insertCharter, changeSettings]],
]
