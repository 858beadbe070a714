/** The header of a save from a form all of whose fields were on the screen: the save is also a check of the record. */
export const SEEN_HEADER = 'x-form-seen'
