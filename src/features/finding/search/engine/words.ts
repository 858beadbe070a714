/** Plain spellings of letters that have no decomposition. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
}

const toPlainLetters = (value: string): string => {
  const lower = value.toLowerCase()
  // oxlint-disable-next-line no-control-regex -- most texts are plain, and normalizing takes ten times as long
  return /^[\x00-\x7f]*$/.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .replace(/[ßøłıæœđðþħ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
}

const PUNCTUATION = /[\][\s!"#$%&()*+,./:;<=>?@\\^_{|}~“”„«»…‐‑‒–—―־·•¿¡№-]+/g

/** 'Ángela “Angie” O’Rourke-Lee' -> 'angela angie orourke lee' */
export const normalize = (value: string): string =>
  toPlainLetters(value)
    .replace(/['’‘ʼ`´]/g, '')
    .replace(PUNCTUATION, ' ')
    .trim()

export const splitNormalized = (normalized: string): string[] => (normalized === '' ? [] : normalized.split(' '))
export const toWords = (value: string | null | undefined): string[] => (value ? splitNormalized(normalize(value)) : [])

/** Only letters and digits, for comparing ids. */
export const toLettersAndDigits = (value: string): string => toPlainLetters(value).replace(/[^a-z0-9]/g, '')

const PARTICLES = new Set('de dela la las los le el al del della di da dos van von der den st san santa mac mc o bin ben'.split(' '))

/** The words with each particle joined to the word after it: 'de la cruz' -> 'delacruz'. */
export const joinParticles = (words: readonly string[]): string[] => {
  const joined: string[] = []
  let particles = ''
  for (const [at, word] of words.entries()) {
    if (PARTICLES.has(word) && at < words.length - 1) particles += word
    else {
      joined.push(particles + word)
      particles = ''
    }
  }
  return joined
}

/** Other spellings of the words of a name: 'o rourke', 'orourkelee', 'delacruz', 'stclair'. */
export const toVariants = (value: string, words: readonly string[]): string[] => [
  ...(/['’‘ʼ]/.test(value) ? toWords(value.replace(/['’‘ʼ]/g, ' ')) : []),
  ...(/\p{L}[‐‑־-]\p{L}/u.test(value) ? toWords(value.replace(/[‐‑־-]/g, '')) : []),
  ...(words.some((word) => PARTICLES.has(word)) ? joinParticles(words) : []),
]

/** The first letter of each word: 'meridian delta charter' -> 'mdc' */
export const toInitials = (words: readonly string[]): string[] => (words.length > 1 ? [words.map((word) => word.charAt(0)).join('')] : [])

const STATE_NAMES: Readonly<Record<string, string>> = {
  ca: 'ca california calif',
  mi: 'mi michigan',
  oh: 'oh ohio',
  sc: 'sc south carolina',
  tx: 'tx texas',
}
export const toStateWords = (code: string | null | undefined): string[] =>
  code ? (STATE_NAMES[code.toLowerCase()] ?? code.toLowerCase()).split(' ') : []

/** The abbreviation of a region that is a state. */
export const getStateCode = (region: string): string | undefined =>
  Object.entries(STATE_NAMES).find(([code, names]) => names.startsWith(`${code} ${region}`))?.[0]

export const STATE_CODES: ReadonlySet<string> = new Set(Object.keys(STATE_NAMES))

const ROLE_ALIASES: Readonly<Record<string, string>> = {
  'Regional SRM': 'rsrm regional student relations manager',
  'Student Relations Manager': 'srm',
  'Regional Vice President': 'rvp vp',
  'Assistant Principal': 'ap vice',
  'Area Superintendent': 'as supt super asup',
  'Learning Center Coordinator': 'lcc',
  'School Operations Manager': 'som ops',
  'Administrative Assistant': 'aa admin',
  'Warehouse Manager': 'wm',
  'Warehouse Technician': 'wt tech',
  'Front Desk Staff': 'frontdesk reception receptionist',
  'School Psychologist': 'psych',
  Counselor: 'counsellor',
  'Lead Counselor': 'counsellor lc',
  'SPED Specialist': 'special education',
  'SPED Technician': 'special education tech',
  'SPED Data Tech': 'special education technician',
  'ELD Lead': 'english language development',
  'ELD SST': 'english language development',
  'ELD Specialist': 'english language development',
}
export const toRoleWords = (name: string): string[] => [...toWords(name), ...splitNormalized(ROLE_ALIASES[name] ?? '')]

/** Words in the names of roles that do not indicate a role by themselves. */
export const COMMON_ROLE_WORDS: ReadonlySet<string> = new Set(
  'area site front school student center learning data lead community special as super vice'.split(' '),
)

/** Words without meaning for a search, dropped unless there are no others. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'the of at in on for and a an is who whose what where to phone number email mail call contact county mr mrs ms'.split(' '),
)

/** Words beside a number that name the kind of number. */
export const NUMBER_LABELS: ReadonlySet<string> = new Set(
  'finance no id personid employee cds fax zip code tel telephone cell mobile'.split(' '),
)
