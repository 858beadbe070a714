import type { Contact } from '../../../contract/vcard.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'

// What the address books hold. `src/app` knows the records; the protocol knows only these.

/** A card of an address book, by its name without the ending, and the version of what it says. */
export interface Member {
  readonly name: string
  readonly etag: string
}

export interface AddressBook {
  /** Its name in the path. */
  readonly name: string
  /** Its key in the database: the same for everyone who has the same members. */
  readonly key: string
  readonly title: string
  readonly description: string
  /** Its members now. */
  readonly listMembers: () => Promise<readonly Member[]>
}

/** A contact, whose picture is loaded when it is written. */
export interface BookContact extends Omit<Contact, 'photo'> {
  readonly photo: { readonly picture: string } | { readonly url: string } | null
}

export interface AddressBooks {
  readonly list: (user: SignedIn) => Promise<readonly AddressBook[]>
  /** The contact of a member; undefined if its record is gone. */
  readonly findContact: (name: string) => BookContact | undefined
  /** The version of a member's card, which changes with what it says. */
  readonly findEtag: (name: string) => string | undefined
  /** The page of the record where a change is made or suggested. */
  readonly findEditPath: (name: string) => string | undefined
  /** The photo at the URL in a contact. */
  readonly readPhoto: (user: SignedIn, name: string) => Promise<{ readonly type: string; readonly bytes: Buffer } | undefined>
}
