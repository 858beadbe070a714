// Imports nothing, because a thread starts for each file and would otherwise load zod with the contract.

export const MAX_SHEET_ROWS = 20_000

/** The field of a finding about a whole row, which no cell value can fix. */
export const ID_FIELD = '_id'
