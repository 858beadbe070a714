import type { Queryable, Tx } from '../../../database/connection.server.ts'
import type { Picture } from './encoding.server.ts'

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
