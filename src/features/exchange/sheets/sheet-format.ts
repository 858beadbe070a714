// Imports nothing: the thread that reads a file starts for each one, and would load zod with the contract.

export const MAX_SHEET_ROWS = 20_000

/** The field of a finding about a whole row: no value of a cell mends it. */
export const ID_FIELD = '_id'
