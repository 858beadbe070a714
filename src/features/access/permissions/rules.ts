import { capabilities, type Capability, can } from '../../../contract/capabilities.ts'
import { isEmail } from '../../../contract/emails.ts'
import { capitalize } from '../../../contract/format.ts'
import { DEFAULT_ADMIN_LEVEL } from '../levels/rules.ts'

/** The `accessName` of every new permission record. */
export const NEW_ADMIN_NAME = 'Admin'

/** The levels that can be granted: with and without charter affairs. */
export const ADMIN_LEVELS = [DEFAULT_ADMIN_LEVEL, capabilities['manage administrators']] as const

/** The level that is granted: never more access than the granter's own. A lower number is more access. */
export const getGrantedLevel = (granterLevel: number, requestedLevel: number = DEFAULT_ADMIN_LEVEL): number =>
  Math.max(requestedLevel, granterLevel)

/** The levels that someone of this level can grant, most access first. */
export const getGrantableLevels = (granter: number): number[] => [...new Set(ADMIN_LEVELS.map((level) => getGrantedLevel(granter, level)))]

/** What administrators can do, as shown before someone becomes one. */
const ABILITIES: readonly (readonly [Capability, string])[] = [
  ['manage the network', 'add and edit sites, charters, brands and people'],
  ['edit a site', 'edit facility, enrollment, staff and SIS records'],
  ['read a charter affair', 'read and export charter affairs'],
  ['edit a charter affair', 'edit charter affairs'],
  ['change the settings', 'change the settings'],
  ['manage administrators', 'make and remove other administrators'],
]
export const getAbilities = (level: number): string[] =>
  ABILITIES.filter(([capability]) => can(level, capability)).map(([, words]) => words)

export interface NamedAddress {
  readonly name: string
  readonly azureID: string
}

/** 'Dana Whitlock' of `dana.whitlock@…`. */
const toName = (address: string): string => (address.split('@')[0] ?? address).split(/[._-]/).filter(Boolean).map(capitalize).join(' ')

/** A name without what is around it in a pasted list: quotation marks, brackets, commas, tabs. */
const cleanName = (text: string): string =>
  text
    .split(/["'<>(),\s]/)
    .filter(Boolean)
    .join(' ')

/**
 * Reads a pasted list of people, one on each line or separated by semicolons: an address, with or without a name before or after it. What has no
 * address is returned as it is.
 */
export const readPeople = (text: string): { readonly people: readonly NamedAddress[]; readonly unreadable: readonly string[] } => {
  const people = new Map<string, NamedAddress>()
  const unreadable: string[] = []
  for (const entry of text.split(/[\n;]/).map((line) => line.trim())) {
    if (entry === '') continue
    const addresses = entry.split(/[\s<>(),"']/).filter(isEmail)
    if (addresses.length === 0) unreadable.push(entry)
    for (const azureID of addresses) {
      const name = addresses.length === 1 ? cleanName(entry.replace(azureID, ' ')) : ''
      people.set(azureID.toLowerCase(), { name: name === '' ? toName(azureID) : name, azureID })
    }
  }
  return { people: [...people.values()], unreadable }
}

export const isAdministrator = (level: number | null): boolean => level !== null && can(level, 'manage administrators')
