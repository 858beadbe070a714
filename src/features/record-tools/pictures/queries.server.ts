import type { Db, Tx } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { isWider, type Picture, pictureAsItWas, pictureOf, resized } from './encoding.server.ts'

/** What is sent of a picture; `isStandIn` where it is the whole one, since no smaller copy could be made just now. */
export type Sent = Pick<Picture, 'type' | 'bytes'> & { readonly isStandIn?: true }

/** The same picture twice is one row: its id is what is in it. */
export const keepPicture = async (tx: Tx, picture: Picture): Promise<void> => {
  await tx
    .insertInto('picture')
    .values(picture)
    .onConflict((already) => already.doNothing())
    .execute()
}

/**
 * The picture that is in a file; undefined where none is. One that was kept here once, as its id says, stays as it is, byte for byte;
 * any other becomes what an upload would become (D26).
 */
export const pictureFrom = async (bytes: Buffer, id?: string): Promise<Picture | undefined> => {
  try {
    return (id === undefined ? undefined : await pictureAsItWas(bytes, id)) ?? (await pictureOf(bytes))
  } catch {
    return undefined
  }
}

export const pictureBy = (db: Db, _id: string): Promise<Omit<Picture, '_id'> | undefined> =>
  db.selectFrom('picture').select(['type', 'width', 'height', 'bytes']).where('_id', '=', _id).executeTakeFirst()

/** Copies that are being made, so that a page with one photo forty times makes it once. */
const making = new Map<string, Promise<Sent | undefined>>()

/** A picture in one of the widths: the kept copy, or one that is made now and kept; the picture itself where it is no wider. */
export const pictureInWidth = async (context: AppContext, _id: string, width: number): Promise<Sent | undefined> => {
  const kept = await context.db
    .selectFrom('picture_size')
    .select(['type', 'bytes'])
    .where('picture', '=', _id)
    .where('width', '=', width)
    .executeTakeFirst()
  if (kept) return kept
  const key = `${_id} ${width}`
  const already = making.get(key)
  if (already) return already
  const made = makeCopy(context, _id, width).finally(() => making.delete(key))
  making.set(key, made)
  return made
}

const makeCopy = async (context: AppContext, picture: string, width: number): Promise<Sent | undefined> => {
  const whole = await pictureBy(context.db, picture)
  if (!whole || !isWider(whole, width)) return whole
  try {
    const copy = await resized(whole.bytes, width)
    await context.db
      .insertInto('picture_size')
      .values({ picture, width, ...copy })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return copy
  } catch (error) {
    // The whole picture serves as well, only slower.
    context.log.warn({ err: error, picture, width }, 'A smaller copy of a picture could not be made')
    return { ...whole, isStandIn: true }
  }
}
