import type { SampleCharter } from './brands.ts'
import type { Area, Place } from './places.ts'
import type { Random } from './random.ts'

const STREETS =
  `Kettleman Lane|March Lane|Tully Road|Ham Lane|Pacific Avenue|Orchard Street|Willow Avenue|Pío Pico Avenue|O’Farrell Street|Peña Adobe Road|
Mission Boulevard|Foothill Boulevard|Grand Avenue|Commerce Drive|Industrial Parkway|College Avenue|Depot Street|Magnolia Avenue|Sycamore Street|
Fairview Road|Harbor Drive|Lakeshore Drive|Canal Street|Prospect Avenue|Jefferson Street|Washington Avenue|Blossom Hill Road|Cottonwood Drive|
El Camino Way|Mesa Verde Drive|Ridgeline Road|Valley Oak Drive|Stonebrook Court|Cañon Perdido Street|Alder Creek Road|Heritage Square|
Market Street|Second Street|Fifth Avenue|Northgate Boulevard|Southpoint Parkway|Westlake Plaza|Eastridge Mall|University Avenue|Railroad Avenue|
Elm Street|Juniper Way|Sierra Vista Drive|Hillcrest Avenue|Cypress Point|Bayview Terrace|Quarry Road|Mill Pond Lane|Old Post Road|Garden Grove Lane|
Dr. Martin Luther King Jr. Boulevard|Chávez Plaza|State Route 99 Frontage Road|Meadowlark Lane|Copper Basin Road`
    .replaceAll('\n', '')
    .split('|')

const PARTNERS = [
  'Community College',
  'Public Library',
  'Youth Center',
  'Teen Hall',
  'Adult School',
  'Job Center',
  'Library Annex',
  'Civic Center',
]

/** The maximum length in the form: 60 letters. */
const LONGEST_NAME = 'Greater Sacramento Valley Independent Learning Center - East'

export interface SiteName {
  readonly street: string
  readonly displayName: string
  readonly name: string
}

interface Named {
  readonly place: Place
  readonly category: string
  readonly area: Area
  readonly charter: SampleCharter
}

/** Typical names: the city, then the street if the city has several sites. */
const candidates = (random: Random, { place: { city }, category, charter }: Named, street: string): string[] => {
  const short = street.replace(/ (Street|Avenue|Boulevard|Drive|Lane|Road|Way|Parkway)$/, '')
  const partner = random.pick(PARTNERS)
  switch (category) {
    case 'Online':
      return [`${city} Online Hub`, `${charter.abbreviation} Online - ${city}`, `${city} Online - ${short}`]
    case 'Distribution Center':
      return [`${city} Distribution Center`, `${city} Distribution Center - ${short}`]
    case 'Administrative Office':
      return [`${city} Administrative Office`, `${charter.abbreviation} Administrative Office - ${city}`, `${city} Office - ${short}`]
    case 'Partnership':
      return [`${city} ${partner} Partnership`, `${city} - ${short} ${partner}`]
    default:
      return random.chance(0.35)
        ? [`${city} - ${short}`, `${city} - ${short} Resource Center`]
        : [`${city} Resource Center`, `${city} - ${short} Resource Center`, `${city} - ${short}`]
  }
}

/** Remembers used names: no two sites have the same name, and one has the longest allowed name. */
export const generateSiteNames = (): ((random: Random, site: Named) => SiteName) => {
  const taken = new Set<string>()
  return (random, site) => {
    const street = random.pick(STREETS)
    const names = candidates(random, site, street)
    const longest = site.area === 'capital' && site.category === 'Partnership' && !taken.has(LONGEST_NAME)
    let displayName = longest ? LONGEST_NAME : names.find((name) => !taken.has(name) && name.length <= 60)
    for (let n = 2; displayName === undefined; n++) {
      const numbered = `${(names.at(-1) ?? street).slice(0, 54)} ${n}`
      if (!taken.has(numbered)) displayName = numbered
    }
    taken.add(displayName)
    const name = displayName
      .replace('Resource Center', 'RC')
      .replace('Distribution Center', 'DC')
      .replace('Independent Learning Center', 'ILC')
    return { street, displayName, name: name.slice(0, 50).trim() }
  }
}
