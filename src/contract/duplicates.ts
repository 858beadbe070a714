/** A fact that speaks for two records being one if both have it. */
export interface DuplicateSign {
  /** Its name in a reason: 'Same phone', 'HR numbers differ'. */
  readonly label: string
  /** The columns that are compared together. */
  readonly columns: readonly string[]
  /** The table in which they are, if its rows refer to the record. */
  readonly rowsOf?: string
  /** What is compared: digits only, the part of an email address before the @, a street without its suffix, a host, or the whole text. */
  readonly read: 'digits' | 'local part' | 'street' | 'host' | 'text'
  /** Points if both have the same, and off if they have different ones. */
  readonly same: number
  readonly different?: number
}

/** What speaks for two records of a kind being one. */
export interface DuplicateDeclaration {
  /** The columns with names. */
  readonly names: readonly string[]
  /** Names of people have nicknames, initials and last names. */
  readonly areNamesOfPeople?: true
  readonly signs: readonly DuplicateSign[]
}

/** What speaks for two records being one, by kind; an entry of its declaration (records.ts). */
export const DUPLICATES = {
  person: {
    names: ['name'],
    areNamesOfPeople: true,
    signs: [
      { label: 'HR number', columns: ['sql_person_id'], read: 'text', same: 40, different: 40 },
      { label: 'email name', columns: ['email'], read: 'local part', same: 30 },
      { label: 'phone', columns: ['phone'], read: 'digits', same: 25 },
      { label: 'site', columns: ['site'], rowsOf: 'site_person', read: 'text', same: 15, different: 10 },
    ],
  },
  site: {
    names: ['displayName', 'name'],
    signs: [
      { label: 'street', columns: ['address_1', 'city'], read: 'street', same: 25 },
      { label: 'finance number', columns: ['finance_id'], read: 'digits', same: 25, different: 10 },
      { label: 'phone', columns: ['phone'], read: 'digits', same: 20 },
      { label: 'city', columns: ['city'], read: 'text', same: 0, different: 30 },
      { label: 'ZIP code', columns: ['zip'], read: 'digits', same: 0, different: 20 },
    ],
  },
  charter: {
    names: ['name'],
    signs: [
      { label: 'charter number', columns: ['charter_number'], read: 'text', same: 30, different: 30 },
      { label: 'website', columns: ['charterWebsite'], read: 'host', same: 20 },
      { label: 'phone', columns: ['charterContactnumber'], read: 'digits', same: 20 },
      { label: 'street of a site', columns: ['address_1', 'city'], rowsOf: 'site', read: 'street', same: 15 },
      { label: 'city', columns: ['city'], rowsOf: 'site', read: 'text', same: 0, different: 30 },
      { label: 'grade levels', columns: ['charter_grade_levels'], read: 'text', same: 0, different: 45 },
    ],
  },
  brand: {
    names: ['brandName'],
    signs: [
      { label: 'website', columns: ['websiteUrl'], read: 'host', same: 30 },
      { label: 'enrollment website', columns: ['EnrollmentsUrl'], read: 'host', same: 15 },
    ],
  },
} as const satisfies Readonly<Record<string, DuplicateDeclaration>>
