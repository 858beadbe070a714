/** The message at a wrong address. */
export const INVALID_EMAIL = 'Please provide a valid email address'
export const MAX_EMAIL_LENGTH = 254

/**
 * A mail address as people have them: letters, digits and `. ' + - _ ! # ^ ~` before the @ (64 at most, no dot at an end or beside another), a
 * domain of two labels or more behind it, of which the last is letters or punycode. Signs that mean something in a link, a list or the head of a
 * mail are in none. Every repetition ends at a dot or at a fixed length, so that it takes time in proportion to the text.
 */
export const EMAIL_PATTERN =
  /^(?=[^@]{1,64}@)(?=[^@]{0,63}[A-Za-z0-9])[A-Za-z0-9'+_!#^~-]+(?:\.[A-Za-z0-9'+_!#^~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$/

export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && EMAIL_PATTERN.test(text)

/** The link that writes to an address. A stored one may be anything: whatever could add a recipient or a header is encoded. */
export const toMailtoUrl = (email: string): string => `mailto:${encodeURIComponent(email.toWellFormed()).replaceAll('%40', '@')}`
/** A chat with someone in Teams, under their work address. */
export const toTeamsChatUrl = (email: string): string =>
  `https://teams.microsoft.com/l/chat/0/0?users=${encodeURIComponent(email.toWellFormed())}`
