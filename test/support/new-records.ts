/** Bodies of new records with every required field, and no other. */

const WEB = 'https://school.example'

/** A word with a letter in place of each digit, for names that must not have digits. */
export const toLetters = (text: string | number): string =>
  String(text).replaceAll(/\d/g, (digit) => String.fromCodePoint(97 + Number(digit)))

export const toNewBrand = (brandName: string) => ({ brandName, websiteUrl: WEB, EnrollmentsUrl: WEB })

export const toNewCharter = (name: string, brand: string) => ({ name, slug: name, abbreviation: 'NEW', brand, charterWebsite: WEB })

export const toNewSite = (displayName: string, charter: string, region: string, email = 'site@school.example') => ({
  name: displayName,
  displayName,
  charter,
  region,
  address: { address_1: '1 Main Street', city: 'Lodi', zip: '95240', phone: '209-555-0142' },
  enrollment_info: { registrationEmail: [email], interestEmail: [email] },
})
