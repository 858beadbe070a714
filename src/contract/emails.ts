/** The message for an invalid address. */
export const INVALID_EMAIL = 'Please provide a valid email address'
export const MAX_EMAIL_LENGTH = 254

/**
 * An ordinary email address: letters, digits and `. ' + - _ ! # ^ ~` before the @ (at most 64, no leading, trailing or consecutive dots), then a
 * domain of at least two labels, the last of which is letters or punycode. Characters with a meaning in links, lists or mail headers are excluded.
 * Every repetition ends at a dot or has a fixed length, so that matching takes linear time.
 */
export const EMAIL_PATTERN =
  /^(?=[^@]{1,64}@)(?=[^@]{0,63}[A-Za-z0-9])[A-Za-z0-9'+_!#^~-]+(?:\.[A-Za-z0-9'+_!#^~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$/

export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && EMAIL_PATTERN.test(text)

/** A mailto link. A stored address may be any text: everything that could add a recipient or a header is encoded. */
export const toMailtoUrl = (email: string): string => `mailto:${encodeURIComponent(email.toWellFormed()).replaceAll('%40', '@')}`
/** A link to a Teams chat with a work address. */
export const toTeamsChatUrl = (email: string): string =>
  `https://teams.microsoft.com/l/chat/0/0?users=${encodeURIComponent(email.toWellFormed())}`
