import type { Status } from '../src/contract/status.ts'
import type { Area } from './places.ts'

export interface SampleBrand {
  readonly name: string
  /** The domain of its URLs: `https://meridian.example`. */
  readonly domain: string
  readonly color: string
  readonly status: Status
  readonly charters: readonly SampleCharter[]
}

export interface SampleCharter {
  readonly name: string
  readonly abbreviation: string
  readonly area: Area
  readonly status: Status
  /** Its share of the network's sites, relative to the others. */
  readonly weight: number
}

const charter = (name: string, abbreviation: string, area: Area, weight: number, status: Status = 'ACTIVE'): SampleCharter => ({
  name,
  abbreviation,
  area,
  weight,
  status,
})

/** Invented; names follow the charter form's rules (letters, spaces, period, hyphen and pipe, at most 60). */
export const BRANDS: readonly SampleBrand[] = [
  {
    name: 'Meridian Charter Schools',
    domain: 'meridian.example',
    color: '#2c4fbd',
    status: 'ACTIVE',
    charters: [
      charter('Meridian Delta Charter', 'MDC', 'delta', 14),
      charter('Meridian Capital Charter', 'MCC', 'capital', 11),
      charter('Meridian Independent Study Charter of the Greater Sacramento', 'MISCGS', 'capital', 8),
      charter('Meridian Coast Charter', 'MCO', 'coast', 9),
      charter('Meridian Valley Charter', 'MVC', 'valley', 10),
      charter('Meridian Bay Charter', 'MBC', 'bay', 8),
      charter('Meridian South Charter', 'MSC', 'south', 10),
      charter('Meridian Inland Charter', 'MIC', 'inland', 8),
      charter('Meridian North State', 'MNS', 'capital', 2, 'PENDING'),
      charter('Meridian Foothill', 'MFH', 'capital', 2, 'CLOSED - PERMANENTLY'),
    ],
  },
  {
    name: 'Bright Harbor Academies',
    domain: 'brightharbor.example',
    color: '#14565e',
    status: 'ACTIVE',
    charters: [
      charter('Bright Harbor - Great Lakes', 'BHGL', 'lakes', 7),
      charter('Bright Harbor - Lake Erie', 'BHLE', 'erie', 7),
      charter('Bright Harbor - Huron', 'BHH', 'lakes', 1, 'PENDING'),
      charter('Bright Harbor - Grand River', 'BHGR', 'west', 5),
      charter('Bright Harbor - Cuyahoga', 'BHC', 'erie', 4),
      charter('Bright Harbor - Miami Valley', 'BHMV', 'river', 4),
      charter('Bright Harbor - Straits', 'BHS', 'west', 2, 'CLOSED - TEMPORARILY'),
      charter('Bright Harbor Early College', 'BHEC', 'river', 3),
    ],
  },
  {
    name: 'Cedar Lane Learning',
    domain: 'cedarlane.example',
    color: '#7a450c',
    status: 'ACTIVE',
    charters: [
      charter('Cedar Lane | Hill Country', 'CLHC', 'hill', 7),
      charter('Cedar Lane | Upstate', 'CLU', 'upstate', 5, 'ACTIVE - TEMPORARY'),
      charter('Cedar Lane | Midlands', 'CLM', 'lowcountry', 4),
      charter('Cedar Lane | Lowcountry', 'CLLC', 'lowcountry', 4),
      charter('Cedar Lane | Gulf', 'CLG', 'gulf', 6),
      charter('Cedar Lane | High Plains', 'CLHP', 'plains', 5),
      charter('Cedar Lane | Piney Woods', 'CLPW', 'gulf', 0, 'PENDING'),
      charter('Cedar Lane | Pee Dee', 'CLPD', 'lowcountry', 1, 'CLOSED - PERMANENTLY'),
    ],
  },
  {
    name: 'Quillstone Academies',
    domain: 'quillstone.example',
    color: '#5b3a8c',
    status: 'ACTIVE',
    charters: [
      charter('Quillstone Stockton', 'QS', 'delta', 5),
      charter('Quillstone Fresno', 'QF', 'valley', 5),
      charter('Quillstone Kern', 'QK', 'valley', 4),
      charter('Quillstone San Diego', 'QSD', 'south', 5),
      charter('Quillstone Antelope Valley', 'QAV', 'south', 4),
      charter('Quillstone Orange', 'QO', 'south', 4),
      charter('Quillstone East Bay', 'QEB', 'bay', 4),
      charter('Quillstone Home Study', 'QHS', 'capital', 3, 'ACTIVE - TEMPORARY'),
      charter('Quillstone Academy of Agriculture and Natural Resources', 'QAANR', 'valley', 2),
    ],
  },
  {
    name: 'Larkfield Learning Centers',
    domain: 'larkfield.example',
    color: '#1d6b3c',
    status: 'ACTIVE',
    charters: [
      charter('Larkfield Sonoma', 'LFS', 'bay', 4),
      charter('Larkfield Monterey Bay', 'LFMB', 'coast', 4),
      charter('Larkfield Central Coast', 'LFCC', 'coast', 4),
      charter('Larkfield Desert Springs', 'LFDS', 'inland', 4),
      charter('Larkfield High Desert', 'LFHD', 'inland', 3),
      charter('Larkfield Rio Grande', 'LFRG', 'gulf', 4),
      charter('Larkfield Permian', 'LFP', 'plains', 3),
      charter('Larkfield Online', 'LFO', 'capital', 3),
      charter('Larkfield St. Clair', 'LFSC', 'lakes', 3),
    ],
  },
  {
    name: 'Fernhollow Schools & Partners',
    domain: 'fernhollow.example',
    color: '#8a2f3b',
    status: 'ACTIVE',
    charters: [
      charter('Fernhollow Kalamazoo', 'FHK', 'west', 3),
      charter('Fernhollow Flint', 'FHF', 'lakes', 3),
      charter('Fernhollow Columbus', 'FHC', 'river', 3),
      charter('Fernhollow Queen City', 'FHQC', 'river', 3),
      charter('Fernhollow Mahoning', 'FHM', 'erie', 2),
      charter('Fernhollow Blue Ridge', 'FHBR', 'upstate', 3),
      charter('Fernhollow Adult School', 'FHAS', 'erie', 2, 'ACTIVE - TEMPORARY'),
      charter('Fernhollow Palmetto', 'FHP', 'lowcountry', 1, 'CLOSED - TEMPORARILY'),
    ],
  },
  {
    name: 'Saltgrass Academy Network',
    domain: 'saltgrass.example',
    color: '#0f5a8a',
    status: 'ACTIVE - TEMPORARY',
    charters: [
      charter('Saltgrass Houston', 'SGH', 'gulf', 4),
      charter('Saltgrass Coastal Bend', 'SGCB', 'gulf', 3),
      charter('Saltgrass Alamo', 'SGA', 'hill', 4),
      charter('Saltgrass Trinity', 'SGT', 'plains', 3),
      charter('Saltgrass Panhandle', 'SGP', 'plains', 2),
      charter('Saltgrass Temple - Killeen', 'SGTK', 'hill', 2),
      charter('Saltgrass Evening High', 'SGEH', 'gulf', 1, 'CLOSED - PERMANENTLY'),
      charter('Saltgrass Borderlands', 'SGB', 'gulf', 2),
    ],
  },
  // Dissolved, without charters, to show an empty list.
  { name: 'North Lantern Education', domain: 'northlantern.example', color: '#4a4f57', status: 'CLOSED - PERMANENTLY', charters: [] },
]
