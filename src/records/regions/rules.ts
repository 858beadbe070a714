/** The state codes of regions, by region name. */
const STATE_CODES: Readonly<Record<string, string>> = { California: 'CA', Michigan: 'MI', Ohio: 'OH', 'South Carolina': 'SC', Texas: 'TX' }

/** The names of a region for a search: its name and the code of its state. */
export const getRegionNames = (name: string): readonly string[] => [name, ...(STATE_CODES[name] === undefined ? [] : [STATE_CODES[name]])]

/** The name of a state by its code; other codes are unchanged. */
export const getStateName = (code: string): string => Object.entries(STATE_CODES).find(([, known]) => known === code)?.[0] ?? code

/** The state of the sites in a region; CA for unknown regions. */
export const getRegionState = (name: string): string => STATE_CODES[name] ?? 'CA'
