import type { Queryable, Tx } from '../../database/connection.server.ts'
import { type Picture, toPicture, toStoredPicture } from './picture-encoding.ts'

/** Inserting the same picture twice keeps one row, because its id is the hash of its bytes. */
export const insertPicture = async (tx: Tx, picture: Picture): Promise<void> => {
  await tx
    .insertInto('picture')
    .values(picture)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Stores a picture in one of the widths. */
export const insertPictureCopy = async (
  db: Queryable,
  picture: string,
  width: number,
  copy: Pick<Picture, 'type' | 'bytes'>,
): Promise<void> => {
  await db
    .insertInto('picture_size')
    .values({ picture, width, ...copy })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * The picture in a file; undefined if there is none. A file that was stored before, by its id, stays unchanged; any other is re-encoded like an
 * upload.
 */
export const readPictureFile = async (bytes: Buffer, id?: string): Promise<Picture | undefined> => {
  try {
    return (id === undefined ? undefined : await toStoredPicture(bytes, id)) ?? (await toPicture(bytes))
  } catch {
    return undefined
  }
}
