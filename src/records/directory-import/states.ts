/** The five states of the network, and the region of each. */
export const REGION_OF_STATE: Readonly<Record<string, string>> = {
  CA: 'California',
  MI: 'Michigan',
  OH: 'Ohio',
  SC: 'South Carolina',
  TX: 'Texas',
}

/** Whether a place can be in one of the five states; a lost minus sign, exchanged degrees and 0 for an unknown place are not. */
export const isInStates = (latitude: number, longitude: number): boolean =>
  latitude > 24 && latitude < 50 && longitude > -126 && longitude < -66
