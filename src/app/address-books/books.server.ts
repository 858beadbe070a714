import { createHash } from 'node:crypto'

import { toIsoDay } from '../../contract/dates.ts'
import { memoize } from '../../contract/memoize.ts'
import { Problem } from '../../contract/problem.ts'
import { getRecordPath } from '../../contract/records.ts'
import { isClosed } from '../../contract/status.ts'
import type { AddressBook, AddressBooks, Member } from '../../features/exchange/address-books/address-books.server.ts'
import { listFavoriteHits } from '../../features/finding/favorites/queries.server.ts'
import { listViewsOf } from '../../features/finding/saved-views/queries.server.ts'
import type { AppContext, SignedIn } from '../../platform/server/app-context.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { createTimeSlices, LONG_WORK_REST_MS } from '../../platform/server/time-slices.ts'
import type { RoleGroup } from '../../records/people/contract.ts'
import { getPeopleInOrder } from '../../records/people/queries.server.ts'
import { CardIndex } from './card-index.server.ts'
import { CONTACT_KINDS, type ContactKind, type ContactRecord, toMemberName } from './contacts.server.ts'
import { readPhoto } from './photos.server.ts'
import { toListRequest } from './view-requests.ts'

const toRecords = (kind: ContactKind, ids: readonly string[]): ContactRecord[] => ids.map((_id) => ({ kind, _id }))

const listStaff = (model: ReadModel, group?: RoleGroup): ContactRecord[] => toRecords('person', getPeopleInOrder(model, group))

/** The open sites of a region, and everyone who works at one of its sites. */
const listRegion = (model: ReadModel, region: string): ContactRecord[] => {
  const sites = model.table('site').where('region', region)
  const people = new Set(
    sites.flatMap(({ _id }) =>
      model
        .table('site_person')
        .where('site', _id)
        .map(({ person }) => person),
    ),
  )
  const open = sites.filter(({ status }) => !isClosed(status)).map(({ _id }) => _id)
  return [...toRecords('site', open), ...toRecords('person', [...people])]
}

const isContactKind = (kind: string): kind is ContactKind => CONTACT_KINDS.some((one) => one === kind)

/** The members of lists that are the same for everyone, as long as no record changes. */
const MAX_CACHED_BOOKS = 200
interface CachedMembers {
  readonly state: string
  readonly members: Promise<readonly Member[]>
}

class DirectoryBooks implements AddressBooks {
  readonly #context: AppContext
  readonly #cards: CardIndex
  readonly #cached = new Map<string, CachedMembers>()

  constructor(context: AppContext) {
    this.#context = context
    this.#cards = new CardIndex(context)
  }

  findContact(name: string) {
    return this.#cards.findContact(name)
  }
  findEtag(name: string) {
    return this.#cards.findMember(name)?.etag
  }

  findEditPath(name: string): string | undefined {
    const record = this.#cards.findRecord(name)
    const row = record && this.#context.readModel.table(record.kind).get(record._id)
    return record && row && `${getRecordPath({ kind: record.kind, slug: row.slug })}?edit=suggest`
  }

  async readPhoto(user: SignedIn, name: string) {
    const record = this.#cards.findRecord(name)
    return record && readPhoto(this.#context, user, record)
  }

  /** The members with these records; those that are gone are left out. */
  async #toMembers(records: readonly ContactRecord[]): Promise<readonly Member[]> {
    const pause = createTimeSlices(LONG_WORK_REST_MS)
    const members: Member[] = []
    for (const record of records) {
      await pause()
      const member = this.#cards.findMember(toMemberName(record))
      if (member) members.push(member)
    }
    return members
  }

  /** A list of members, which is the same object until a record or the day changes. */
  async #listCached(key: string, listRecords: () => ContactRecord[] | Promise<ContactRecord[]>): Promise<readonly Member[]> {
    const { readModel, configuration, now } = this.#context
    await readModel.ready()
    // Some filters compare with the day.
    const state = `${readModel.revision} ${toIsoDay(now(), configuration.timeZone)}`
    const cached = this.#cached.get(key)
    if (cached?.state === state) return cached.members
    this.#cached.delete(key)
    const members = (async () => this.#keepIfSame(cached, await this.#toMembers(await listRecords())))()
    this.#cached.set(key, { state, members })
    members.catch(() => this.#cached.delete(key))
    const [oldest] = this.#cached.keys()
    if (this.#cached.size > MAX_CACHED_BOOKS && oldest !== undefined) this.#cached.delete(oldest)
    return members
  }

  /** The list from before a change that did not concern it, whose digest is known. */
  async #keepIfSame(cached: CachedMembers | undefined, members: readonly Member[]): Promise<readonly Member[]> {
    const before = (await cached?.members.catch(() => undefined)) ?? []
    return before.length === members.length && before.every((member, at) => member === members[at]) ? before : members
  }

  #define(book: Omit<AddressBook, 'listMembers'>, listRecords: () => ContactRecord[] | Promise<ContactRecord[]>): AddressBook {
    return { ...book, listMembers: () => this.#listCached(book.key, listRecords) }
  }

  async list(user: SignedIn): Promise<readonly AddressBook[]> {
    const { readModel } = this.#context
    await readModel.ready()
    const fixed = [
      { name: 'all-staff', title: 'All staff', description: 'Everyone in the directory', listRecords: () => listStaff(readModel) },
      {
        name: 'leadership',
        title: 'Leadership',
        description: 'Everyone with a leadership role',
        listRecords: () => listStaff(readModel, 'LEADERSHIP'),
      },
      {
        name: 'student-support',
        title: 'Student Support',
        description: 'Everyone with a student support role',
        listRecords: () => listStaff(readModel, 'STUDENT_SUPPORT'),
      },
    ].map(({ listRecords, ...book }) => this.#define({ ...book, key: book.name }, listRecords))
    const regions = [...readModel.table('region').all()]
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ _id, name }) => {
        const key = `region-${toMemberName({ kind: 'site', _id }).slice('site-'.length)}`
        return this.#define({ name: key, key, title: name, description: `Sites of ${name} and the people who work there` }, () =>
          listRegion(readModel, _id),
        )
      })
    return [...fixed, ...regions, this.#defineFavorites(user), ...(await this.#listViews(user))]
  }

  /** Not cached, because favorites are not part of the read model. */
  #defineFavorites({ account }: SignedIn): AddressBook {
    const listMembers = async () => {
      const hits = await listFavoriteHits(this.#context, account)
      return this.#toMembers(hits.flatMap(({ kind, _id }) => (isContactKind(kind) ? [{ kind, _id }] : [])))
    }
    const description = 'The people and sites that you marked with the star'
    return { name: 'favorites', key: `favorites ${account}`, title: 'My favorites', description, listMembers }
  }

  async #listViews({ account }: SignedIn): Promise<AddressBook[]> {
    const views = await listViewsOf(this.#context.db, account)
    return views.flatMap(({ _id, name: title, page, search }) => {
      const view = toListRequest({ page, search })
      if (!view) return []
      const { kind, request } = view
      // Another search is another list of members in the cache, while its programs still have the same address book.
      const hash = createHash('sha256').update(`${page}?${search}`).digest('base64url')
      const listMembers = () => this.#listCached(`view ${_id} ${hash}`, async () => toRecords(kind, await this.#listIds(request)))
      return [{ name: `view-${_id}`, key: `view-${_id}`, title, description: 'A saved view', listMembers }]
    })
  }

  /** None if a filter names something that is gone. */
  async #listIds(request: object): Promise<string[]> {
    try {
      return await this.#context.listRecordIds(this.#context, request)
    } catch (error) {
      if (error instanceof Problem && error.status === 422) return []
      throw error
    }
  }
}

/** The address books of a server. */
export const getAddressBooks = memoize((context: AppContext): AddressBooks => new DirectoryBooks(context))
