import sharp from 'sharp'

import { answerRequest, sendChangeRequest } from '../../../src/features/changing/requests/contract.ts'
import { uploadPicture } from '../../../src/features/record-tools/pictures/contract.ts'
import { addMember, removeMember, saveCharterAffair, updateMember } from '../../../src/features/records/charter-affairs/contract.ts'
import { createCharter, updateCharter } from '../../../src/features/records/charters/contract.ts'
import { createDeparture } from '../../../src/features/records/departures/contract.ts'
import { updateEnrollment } from '../../../src/features/records/enrollment/contract.ts'
import { updateFacility } from '../../../src/features/records/facility/contract.ts'
import { createPerson } from '../../../src/features/records/people/contract.ts'
import { saveSettings } from '../../../src/features/records/settings/contract.ts'
import { createSisSite, deleteSisSite, updateSisSite } from '../../../src/features/records/sis-sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from '../../../src/features/records/site-staff/contract.ts'
import { createSite, updateSite } from '../../../src/features/records/sites/contract.ts'
import { pickRandom, takeRandom, type KnownRecords } from './known-records.ts'
import { type BuildSave, defineSave } from './save.ts'

const withKnownVersion = ({ versions }: KnownRecords, key: string) => ({ version: versions.get(key), of: key })
/** A name of letters alone, where no digit may stand. */
const inLetters = (mark: string): string => mark.replaceAll(/\d/g, (digit) => String.fromCodePoint(97 + Number(digit))).replace('-', ' ')
const addressOf = (mark: string): string => `${mark}@writers.test`
const MAX_CREATED_SITES = 400

const changeSite: BuildSave = (records, mark) => {
  const id = pickRandom(records.sites) ?? ''
  const sent = {
    params: { id },
    body: { finance_id: mark.replaceAll(/\D/g, ''), address: { description: mark } },
    ...withKnownVersion(records, `site ${id}`),
  }
  return defineSave('a site', updateSite, sent, ({ version }) => {
    records.versions.set(`site ${id}`, version)
    return [{ table: 'site', action: 'update', record: id, values: { description: mark, finance_id: sent.body.finance_id }, version }]
  })
}

const changeFacility: BuildSave = (records, mark) => {
  const id = pickRandom(records.sites) ?? ''
  return defineSave(
    'a lease',
    updateFacility,
    { params: { id }, body: { fac_notes: mark, base_rent: mark }, ...withKnownVersion(records, `facility ${id}`) },
    ({ version }) => {
      records.versions.set(`facility ${id}`, version)
      return [{ table: 'facility', action: 'update', record: id, values: { fac_notes: mark, base_rent: mark }, version }]
    },
  )
}

/** The text names the programs that are saved with it, so that a text with other programs beside it is half a save. */
const changeEnrollment: BuildSave = (records, mark) => {
  const id = pickRandom(records.sites) ?? ''
  const programs = records.programs.filter(() => Math.random() < 0.5).toSorted()
  const about = `${mark} offers ${programs.join(' ')}`.trim()
  return defineSave(
    'an enrollment record with its programs',
    updateEnrollment,
    {
      params: { id },
      body: { about, programTypes: programs.map((_id) => ({ _id })), registrationEmail: [addressOf(mark)] },
      ...withKnownVersion(records, `enrollment ${id}`),
    },
    ({ version }) => {
      records.versions.set(`enrollment ${id}`, version)
      return [{ table: 'enrollment', action: 'update', record: id, values: { about, registrationEmail: [addressOf(mark)] }, version }]
    },
  )
}

const insertSite: BuildSave = (records, mark) => {
  if (records.sites.length > MAX_CREATED_SITES) return undefined
  const body = {
    name: mark,
    displayName: `Made by ${mark}`,
    charter: pickRandom(records.charters) ?? '',
    region: pickRandom(records.regions) ?? '',
    address: { address_1: '1 Main Street', city: 'Lodi', zip: '95240', phone: '209-555-0142' },
    enrollment_info: { registrationEmail: [addressOf(mark)], interestEmail: [addressOf(mark)] },
  }
  return defineSave('a new site with its parts', createSite, { body }, ({ _id }) => {
    records.sites.push(_id)
    return [
      { table: 'site', action: 'insert', record: _id, values: { displayName: body.displayName, city: 'Lodi' }, version: 1 },
      { table: 'facility', action: 'insert', record: _id, values: {}, version: 1 },
      { table: 'enrollment', action: 'update', record: _id, values: body.enrollment_info },
    ]
  })
}

const changeAffair: BuildSave = (records, mark) => {
  const id = pickRandom(records.charters) ?? ''
  const body = { overview: { notes: mark }, mou: { locations: mark } }
  return defineSave(
    'a charter affair',
    saveCharterAffair,
    { params: { id }, body, ...withKnownVersion(records, `affair ${id}`) },
    (answer) => {
      const affair = answer.charter_affair_info[0]
      if (!affair) throw new Error('A saved charter affair is not in its answer')
      records.versions.set(`affair ${id}`, affair.version)
      return [{ table: 'charter_affair', action: 'update', record: affair._id, values: body, version: affair.version }]
    },
  )
}

const insertMember: BuildSave = (records, mark) => {
  const charter = pickRandom(records.charters) ?? ''
  return defineSave('a board member', addMember, { params: { id: charter }, body: { board_member_name: mark } }, (answer) => {
    const member = answer.charter_affair_info[0]?.authorizer_board_member.find((one) => one.board_member_name === mark)
    if (!member) throw new Error('A board member who was added is not in the answer')
    records.members.push({ _id: member._id, charter })
    return [{ table: 'authorizer_board_member', action: 'insert', record: member._id, values: { board_member_name: mark }, version: 1 }]
  })
}

/** Nobody else removes it meanwhile. */
const changeMember: BuildSave = (records, mark) => {
  const member = takeRandom(records.members)
  if (!member) return undefined
  const { _id, charter: id } = member
  return defineSave('a board member', updateMember, { params: { id }, body: { _id, board_term: mark } }, () => {
    records.members.push(member)
    return [{ table: 'authorizer_board_member', action: 'update', record: _id, values: { board_term: mark } }]
  })
}

const removeBoardMember: BuildSave = (records) => {
  if (records.members.length < 5) return undefined
  const { _id = '', charter: id = '' } = takeRandom(records.members) ?? {}
  return defineSave('a board member', removeMember, { params: { id, memberId: _id } }, () => [
    { table: 'authorizer_board_member', action: 'delete', record: _id, values: {} },
  ])
}

const insertPerson: BuildSave = (records, mark) =>
  defineSave('a person', createPerson, { body: { name: `Made by ${mark}`, email: addressOf(mark) } }, ({ _id }) => {
    records.people.push(_id)
    return [{ table: 'person', action: 'insert', record: _id, values: { email: addressOf(mark) }, version: 1 }]
  })

const addStaff: BuildSave = (records) => {
  const [site, person, role] = [pickRandom(records.sites) ?? '', pickRandom(records.people), pickRandom(records.roles) ?? '']
  if (person === undefined) return undefined
  const isOvertaken = (): boolean => records.left.has(person)
  return defineSave(
    'staff of a site',
    addSiteStaff,
    { params: { id: site }, body: { person, role_match: role }, isOvertaken },
    ({ people }) => {
      const place = people.find((one) => one.person._id === person && one.role_match._id === role)
      if (!place) throw new Error('Somebody who was put on the staff is not in the answer')
      if (!isOvertaken()) records.places.push({ _id: place._id, site, person, role })
      return [{ table: 'site_person', action: 'insert', record: place._id, values: { site, person, role } }]
    },
  )
}

const removeStaff: BuildSave = (records) => {
  if (records.places.length < 5) return undefined
  const place = takeRandom(records.places)
  if (!place) return undefined
  const { _id, site, person, role } = place
  const isOvertaken = (): boolean => records.left.has(person)
  return defineSave(
    'staff of a site',
    removeSiteStaff,
    { params: { id: site }, body: { person_id: person, role_id: role }, isOvertaken },
    () => [{ table: 'site_person', action: 'delete', record: _id, values: { site, person, role } }],
  )
}

const markAsLeft: BuildSave = (records) => {
  if (records.people.length < 5) return undefined
  const person = takeRandom(records.people)
  if (person === undefined) return undefined
  records.left.add(person)
  const places = records.places.filter((one) => one.person === person)
  for (const one of places) records.places.splice(records.places.indexOf(one), 1)
  return defineSave('somebody who leaves', createDeparture, { params: { id: person }, body: {} }, ({ leftAt, version }) => {
    if (leftAt === null) throw new Error('Somebody who left is answered as here')
    return [{ table: 'person', action: 'update', record: person, values: {}, version }]
  })
}

const insertSisSite: BuildSave = (records, mark) => {
  const site = pickRandom(records.sites) ?? ''
  return defineSave('a SIS site', createSisSite, { body: { name: mark, site } }, ({ _id }) => {
    records.sisSites.push({ _id })
    return [{ table: 'sis_site', action: 'insert', record: _id, values: { name: mark, site }, version: 1 }]
  })
}

/** Nobody else removes it meanwhile. */
const changeSisSite: BuildSave = (records, mark) => {
  const { _id } = takeRandom(records.sisSites) ?? {}
  if (_id === undefined) return undefined
  const key = `sis ${_id}`
  return defineSave(
    'a SIS site',
    updateSisSite,
    { params: { id: _id }, body: { charterName: mark }, ...withKnownVersion(records, key) },
    ({ version }) => {
      records.versions.set(key, version)
      records.sisSites.push({ _id })
      return [{ table: 'sis_site', action: 'update', record: _id, values: { charterName: mark }, version }]
    },
  )
}

const removeSisSite: BuildSave = (records) => {
  if (records.sisSites.length < 5) return undefined
  const { _id = '' } = takeRandom(records.sisSites) ?? {}
  return defineSave('a SIS site', deleteSisSite, { params: { id: _id } }, () => [
    { table: 'sis_site', action: 'delete', record: _id, values: {} },
  ])
}

const insertCharter: BuildSave = (records, mark) => {
  if (records.charters.length > MAX_CREATED_SITES / 4) return undefined
  const name = `Charter ${inLetters(mark)}`
  const body = {
    name,
    slug: inLetters(mark),
    abbreviation: 'MADE',
    brand: pickRandom(records.brands) ?? '',
    charterWebsite: 'https://made.test',
  }
  return defineSave('a charter', createCharter, { body }, ({ _id }) => {
    records.charters.push(_id)
    return [{ table: 'charter', action: 'insert', record: _id, values: { name }, version: 1 }]
  })
}

const changeCharter: BuildSave = (records, mark) => {
  const id = pickRandom(records.charters) ?? ''
  const charterWebsite = `https://${mark}.test`
  return defineSave(
    'a charter',
    updateCharter,
    { params: { id }, body: { charterWebsite }, ...withKnownVersion(records, `charter ${id}`) },
    ({ version }) => {
      records.versions.set(`charter ${id}`, version)
      return [{ table: 'charter', action: 'update', record: id, values: { charterWebsite }, version }]
    },
  )
}

const requestChange: BuildSave = (records, mark) => {
  const site = pickRandom(records.sites) ?? ''
  return defineSave('a request with its mail', sendChangeRequest, { body: { site, correctText: mark } }, ({ _id }) => {
    records.requests.push({ _id })
    return [{ table: 'request', action: 'insert', record: _id, values: { text: mark, site }, version: 1 }]
  })
}

const answerOpenRequest: BuildSave = (records, mark) => {
  const { _id } = takeRandom(records.requests) ?? {}
  if (_id === undefined) return undefined
  return defineSave(
    'an answer with its mail',
    answerRequest,
    { params: { id: _id }, body: { state: 'done', word: mark } },
    ({ version }) => [{ table: 'request', action: 'update', record: _id, values: { state: 'done', word: mark }, version }],
  )
}

const changeSettings: BuildSave = (_world, mark) => {
  const body = { organisation: mark, supportRequestsTo: [addressOf(mark)] }
  return defineSave('the settings', saveSettings, { body }, ({ version }) => [
    { table: 'setting', action: version === 1 ? 'insert' : 'update', values: { value: body }, version },
  ])
}

/** Found again by its own bytes: the id of a picture is their SHA-256. */
const addPicture: BuildSave = async (records) => {
  const pixels = Buffer.from(Uint8Array.from({ length: 12 * 12 * 3 }, () => Math.floor(Math.random() * 256)))
  const png = await sharp(pixels, { raw: { width: 12, height: 12, channels: 3 } })
    .png()
    .toBuffer()
  return defineSave('a picture', uploadPicture, { file: new Blob([Uint8Array.from(png)], { type: 'image/png' }) }, ({ _id }) => {
    records.pictures.push(_id)
    return []
  })
}

const changePhoto: BuildSave = (records, mark) => {
  const [id, photo] = [pickRandom(records.sites) ?? '', pickRandom(records.pictures)]
  if (photo === undefined) return undefined
  return defineSave(
    'a site with a picture',
    updateSite,
    { params: { id }, body: { photo, address: { closures: mark } } },
    ({ version }) => [{ table: 'site', action: 'update', record: id, values: { photo, closures: mark }, version }],
  )
}

/** Every kind of save, as often as it is likely; requests and pictures keep below the limits of one person. */
export const SAVE_TYPES: readonly (readonly [BuildSave, number])[] = [
  [changeSite, 14],
  [changeFacility, 12],
  [changeEnrollment, 14],
  [insertSite, 5],
  [changeAffair, 8],
  [insertMember, 6],
  [changeMember, 4],
  [removeBoardMember, 3],
  [insertPerson, 5],
  [addStaff, 8],
  [removeStaff, 4],
  [markAsLeft, 2],
  [insertSisSite, 4],
  [changeSisSite, 4],
  [removeSisSite, 2],
  [insertCharter, 2],
  [changeCharter, 5],
  [requestChange, 4],
  [answerOpenRequest, 3],
  [changeSettings, 2],
  [addPicture, 4],
  [changePhoto, 4],
]
