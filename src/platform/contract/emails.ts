/** A standard address (section 5), and what a wrong one is told (section 8). */
export const ADDRESS_FORM = /^[^\s@,;<>"()[\]\\]+@[^\s@,;<>"()[\]\\]+\.[^\s@,;.<>"()[\]\\]{2,}$/
export const INVALID_EMAIL = 'Please provide a valid email address'
export const LONGEST_EMAIL = 254
