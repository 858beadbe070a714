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
import { anyOf, taken, type World } from './known-records.ts'
import { type Kind, save } from './save.ts'

const seen = ({ versions }: World, key: string) => ({ version: versions.get(key), of: key })
/** A name of letters alone, where no digit may stand. */
const inLetters = (mark: string): string => mark.replaceAll(/\d/g, (digit) => String.fromCodePoint(97 + Number(digit))).replace('-', ' ')
const addressOf = (mark: string): string => `${mark}@writers.test`
const MOST_SITES_MADE = 400

const changeSite: Kind = (world, mark) => {
  const id = anyOf(world.sites) ?? ''
  const sent = {
    params: { id },
    body: { finance_id: mark.replaceAll(/\D/g, ''), address: { description: mark } },
    ...seen(world, `site ${id}`),
  }
  return save('a site', updateSite, sent, ({ version }) => {
    world.versions.set(`site ${id}`, version)
    return [{ table: 'site', action: 'update', record: id, holds: { description: mark, finance_id: sent.body.finance_id }, version }]
  })
}

const changeFacility: Kind = (world, mark) => {
  const id = anyOf(world.sites) ?? ''
  return save(
    'a lease',
    updateFacility,
    { params: { id }, body: { fac_notes: mark, base_rent: mark }, ...seen(world, `facility ${id}`) },
    ({ version }) => {
      world.versions.set(`facility ${id}`, version)
      return [{ table: 'facility', action: 'update', record: id, holds: { fac_notes: mark, base_rent: mark }, version }]
    },
  )
}

/** The text names the programs that are saved with it, so that a text with other programs beside it is half a save. */
const changeEnrollment: Kind = (world, mark) => {
  const id = anyOf(world.sites) ?? ''
  const programs = world.programs.filter(() => Math.random() < 0.5).toSorted()
  const about = `${mark} offers ${programs.join(' ')}`.trim()
  return save(
    'an enrollment record with its programs',
    updateEnrollment,
    {
      params: { id },
      body: { about, programTypes: programs.map((_id) => ({ _id })), registrationEmail: [addressOf(mark)] },
      ...seen(world, `enrollment ${id}`),
    },
    ({ version }) => {
      world.versions.set(`enrollment ${id}`, version)
      return [{ table: 'enrollment', action: 'update', record: id, holds: { about, registrationEmail: [addressOf(mark)] }, version }]
    },
  )
}

const makeSite: Kind = (world, mark) => {
  if (world.sites.length > MOST_SITES_MADE) return undefined
  const body = {
    name: mark,
    displayName: `Made by ${mark}`,
    charter: anyOf(world.charters) ?? '',
    region: anyOf(world.regions) ?? '',
    address: { address_1: '1 Main Street', city: 'Lodi', zip: '95240', phone: '209-555-0142' },
    enrollment_info: { registrationEmail: [addressOf(mark)], interestEmail: [addressOf(mark)] },
  }
  return save('a new site with its parts', createSite, { body }, ({ _id }) => {
    world.sites.push(_id)
    return [
      { table: 'site', action: 'insert', record: _id, holds: { displayName: body.displayName, city: 'Lodi' }, version: 1 },
      { table: 'facility', action: 'insert', record: _id, holds: {}, version: 1 },
      { table: 'enrollment', action: 'update', record: _id, holds: body.enrollment_info },
    ]
  })
}

const changeAffair: Kind = (world, mark) => {
  const id = anyOf(world.charters) ?? ''
  const body = { overview: { notes: mark }, mou: { locations: mark } }
  return save('a charter affair', saveCharterAffair, { params: { id }, body, ...seen(world, `affair ${id}`) }, (answer) => {
    const affair = answer.charter_affair_info[0]
    if (!affair) throw new Error('A saved charter affair is not in its answer')
    world.versions.set(`affair ${id}`, affair.version)
    return [{ table: 'charter_affair', action: 'update', record: affair._id, holds: body, version: affair.version }]
  })
}

const makeMember: Kind = (world, mark) => {
  const charter = anyOf(world.charters) ?? ''
  return save('a board member', addMember, { params: { id: charter }, body: { board_member_name: mark } }, (answer) => {
    const member = answer.charter_affair_info[0]?.authorizer_board_member.find((one) => one.board_member_name === mark)
    if (!member) throw new Error('A board member who was added is not in the answer')
    world.members.push({ _id: member._id, charter })
    return [{ table: 'authorizer_board_member', action: 'insert', record: member._id, holds: { board_member_name: mark }, version: 1 }]
  })
}

/** Nobody else removes it meanwhile. */
const changeMember: Kind = (world, mark) => {
  const member = taken(world.members)
  if (!member) return undefined
  const { _id, charter: id } = member
  return save('a board member', updateMember, { params: { id }, body: { _id, board_term: mark } }, () => {
    world.members.push(member)
    return [{ table: 'authorizer_board_member', action: 'update', record: _id, holds: { board_term: mark } }]
  })
}

const dropMember: Kind = (world) => {
  if (world.members.length < 5) return undefined
  const { _id = '', charter: id = '' } = taken(world.members) ?? {}
  return save('a board member', removeMember, { params: { id, memberId: _id } }, () => [
    { table: 'authorizer_board_member', action: 'delete', record: _id, holds: {} },
  ])
}

const makePerson: Kind = (world, mark) =>
  save('a person', createPerson, { body: { name: `Made by ${mark}`, email: addressOf(mark) } }, ({ _id }) => {
    world.people.push(_id)
    return [{ table: 'person', action: 'insert', record: _id, holds: { email: addressOf(mark) }, version: 1 }]
  })

const addStaff: Kind = (world) => {
  const [site, person, role] = [anyOf(world.sites) ?? '', anyOf(world.people), anyOf(world.roles) ?? '']
  if (person === undefined) return undefined
  const isOvertaken = (): boolean => world.left.has(person)
  return save('staff of a site', addSiteStaff, { params: { id: site }, body: { person, role_match: role }, isOvertaken }, ({ people }) => {
    const place = people.find((one) => one.person._id === person && one.role_match._id === role)
    if (!place) throw new Error('Somebody who was put on the staff is not in the answer')
    if (!isOvertaken()) world.places.push({ _id: place._id, site, person, role })
    return [{ table: 'site_person', action: 'insert', record: place._id, holds: { site, person, role } }]
  })
}

const removeStaff: Kind = (world) => {
  if (world.places.length < 5) return undefined
  const place = taken(world.places)
  if (!place) return undefined
  const { _id, site, person, role } = place
  const isOvertaken = (): boolean => world.left.has(person)
  return save('staff of a site', removeSiteStaff, { params: { id: site }, body: { person_id: person, role_id: role }, isOvertaken }, () => [
    { table: 'site_person', action: 'delete', record: _id, holds: { site, person, role } },
  ])
}

const somebodyLeaves: Kind = (world) => {
  if (world.people.length < 5) return undefined
  const person = taken(world.people)
  if (person === undefined) return undefined
  world.left.add(person)
  const places = world.places.filter((one) => one.person === person)
  for (const one of places) world.places.splice(world.places.indexOf(one), 1)
  return save('somebody who leaves', createDeparture, { params: { id: person }, body: {} }, ({ leftAt, version }) => {
    if (leftAt === null) throw new Error('Somebody who left is answered as here')
    return [{ table: 'person', action: 'update', record: person, holds: {}, version }]
  })
}

const makeSisSite: Kind = (world, mark) => {
  const site = anyOf(world.sites) ?? ''
  return save('a SIS site', createSisSite, { body: { name: mark, site } }, ({ _id }) => {
    world.sisSites.push({ _id })
    return [{ table: 'sis_site', action: 'insert', record: _id, holds: { name: mark, site }, version: 1 }]
  })
}

/** Nobody else removes it meanwhile. */
const changeSisSite: Kind = (world, mark) => {
  const { _id } = taken(world.sisSites) ?? {}
  if (_id === undefined) return undefined
  const key = `sis ${_id}`
  return save('a SIS site', updateSisSite, { params: { id: _id }, body: { charterName: mark }, ...seen(world, key) }, ({ version }) => {
    world.versions.set(key, version)
    world.sisSites.push({ _id })
    return [{ table: 'sis_site', action: 'update', record: _id, holds: { charterName: mark }, version }]
  })
}

const dropSisSite: Kind = (world) => {
  if (world.sisSites.length < 5) return undefined
  const { _id = '' } = taken(world.sisSites) ?? {}
  return save('a SIS site', deleteSisSite, { params: { id: _id } }, () => [{ table: 'sis_site', action: 'delete', record: _id, holds: {} }])
}

const makeCharter: Kind = (world, mark) => {
  if (world.charters.length > MOST_SITES_MADE / 4) return undefined
  const name = `Charter ${inLetters(mark)}`
  const body = { name, slug: inLetters(mark), abbreviation: 'MADE', brand: anyOf(world.brands) ?? '', charterWebsite: 'https://made.test' }
  return save('a charter', createCharter, { body }, ({ _id }) => {
    world.charters.push(_id)
    return [{ table: 'charter', action: 'insert', record: _id, holds: { name }, version: 1 }]
  })
}

const changeCharter: Kind = (world, mark) => {
  const id = anyOf(world.charters) ?? ''
  const charterWebsite = `https://${mark}.test`
  return save('a charter', updateCharter, { params: { id }, body: { charterWebsite }, ...seen(world, `charter ${id}`) }, ({ version }) => {
    world.versions.set(`charter ${id}`, version)
    return [{ table: 'charter', action: 'update', record: id, holds: { charterWebsite }, version }]
  })
}

const askForChange: Kind = (world, mark) => {
  const site = anyOf(world.sites) ?? ''
  return save('a request with its mail', sendChangeRequest, { body: { site, correctText: mark } }, ({ _id }) => {
    world.requests.push({ _id })
    return [{ table: 'request', action: 'insert', record: _id, holds: { text: mark, site }, version: 1 }]
  })
}

const answerOne: Kind = (world, mark) => {
  const { _id } = taken(world.requests) ?? {}
  if (_id === undefined) return undefined
  return save('an answer with its mail', answerRequest, { params: { id: _id }, body: { state: 'done', word: mark } }, ({ version }) => [
    { table: 'request', action: 'update', record: _id, holds: { state: 'done', word: mark }, version },
  ])
}

const changeSettings: Kind = (_world, mark) => {
  const body = { organisation: mark, supportRequestsTo: [addressOf(mark)] }
  return save('the settings', saveSettings, { body }, ({ version }) => [
    { table: 'setting', action: version === 1 ? 'insert' : 'update', holds: { value: body }, version },
  ])
}

/** Found again by its own bytes: the id of a picture is their SHA-256. */
const addPicture: Kind = async (world) => {
  const pixels = Buffer.from(Uint8Array.from({ length: 12 * 12 * 3 }, () => Math.floor(Math.random() * 256)))
  const png = await sharp(pixels, { raw: { width: 12, height: 12, channels: 3 } })
    .png()
    .toBuffer()
  return save('a picture', uploadPicture, { file: new Blob([Uint8Array.from(png)], { type: 'image/png' }) }, ({ _id }) => {
    world.pictures.push(_id)
    return []
  })
}

const changePhoto: Kind = (world, mark) => {
  const [id, photo] = [anyOf(world.sites) ?? '', anyOf(world.pictures)]
  if (photo === undefined) return undefined
  return save('a site with a picture', updateSite, { params: { id }, body: { photo, address: { closures: mark } } }, ({ version }) => [
    { table: 'site', action: 'update', record: id, holds: { photo, closures: mark }, version },
  ])
}

/** Every kind of save, as often as it is likely; requests and pictures keep below the limits of one person. */
export const KINDS: readonly (readonly [Kind, number])[] = [
  [changeSite, 14],
  [changeFacility, 12],
  [changeEnrollment, 14],
  [makeSite, 5],
  [changeAffair, 8],
  [makeMember, 6],
  [changeMember, 4],
  [dropMember, 3],
  [makePerson, 5],
  [addStaff, 8],
  [removeStaff, 4],
  [somebodyLeaves, 2],
  [makeSisSite, 4],
  [changeSisSite, 4],
  [dropSisSite, 2],
  [makeCharter, 2],
  [changeCharter, 5],
  [askForChange, 4],
  [answerOne, 3],
  [changeSettings, 2],
  [addPicture, 4],
  [changePhoto, 4],
]
