import { createHash } from 'node:crypto'

import { ADDRESS_BOOKS_PATH } from '../../features/access/devices/rules.ts'
import type { BookContact, Member } from '../../features/exchange/address-books/address-books.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import type { ModelChange } from '../../platform/server/read-model/read-model.ts'
import { getReferenced, type RowChange } from '../../platform/server/read-model/table-rows.ts'
import { type ContactRecord, type ContactUrls, findContact, readMemberName, toMemberName } from './contacts.server.ts'

/** Part of each version: incremented when the same contact is written in another way, so that programs read it again. */
const CARD_FORMAT = 1

/** Changes of these are rare, and may concern every card. */
const REFERRED: ReadonlySet<string> = new Set(['charter', 'brand', 'region', 'role'])

const computeEtag = (contact: BookContact): string =>
  `"${createHash('sha256')
    .update(`${CARD_FORMAT} ${JSON.stringify(contact)}`)
    .digest('base64url')
    .slice(0, 22)}"`

/** The cards of all people and sites by their names. The version of each is computed once, and again after a change of what it shows. */
export class CardIndex {
  readonly #context: AppContext
  readonly #urls: ContactUrls
  readonly #members = new Map<string, Member>()

  constructor(context: AppContext) {
    this.#context = context
    const { publicUrl, oidc, secretKey } = context.configuration
    // Photos of people come from the directory, with a token of the person who asks.
    const hasPhotos = oidc !== undefined && secretKey !== undefined
    this.#urls = { publicUrl, getPhotoUrl: (name) => (hasPhotos ? `${publicUrl}${ADDRESS_BOOKS_PATH}photos/${name}` : null) }
    context.readModel.onChange((change) => this.#forget(change))
  }

  findRecord(name: string): ContactRecord | undefined {
    return readMemberName(name)
  }

  findContact(name: string): BookContact | undefined {
    const record = readMemberName(name)
    return record && findContact(this.#context.readModel, record, this.#urls)
  }

  findMember(name: string): Member | undefined {
    const known = this.#members.get(name)
    if (known) return known
    const contact = this.findContact(name)
    if (!contact) return undefined
    const member = { name, etag: computeEtag(contact) }
    this.#members.set(name, member)
    return member
  }

  #forget(change: ModelChange): void {
    if (this.#members.size === 0) return
    if (change === 'everything') this.#members.clear()
    else for (const one of change) for (const name of this.#listAffected(one)) this.#members.delete(name)
  }

  /** The cards that show something of a changed row. */
  #listAffected(change: RowChange): Iterable<string> {
    const toPeople = (ids: readonly string[]): string[] => ids.map((_id) => toMemberName({ kind: 'person', _id }))
    if (REFERRED.has(change.table)) return [...this.#members.keys()]
    if (change.table === 'person') return toPeople([change.key])
    if (change.table === 'site_person') return toPeople(getReferenced(change, 'person'))
    if (change.table !== 'site') return []
    const positions = this.#context.readModel.table('site_person').where('site', change.key)
    return [toMemberName({ kind: 'site', _id: change.key }), ...toPeople(positions.map(({ person }) => person))]
  }
}
