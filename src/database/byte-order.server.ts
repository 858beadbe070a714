import type { OrderByItemBuilder } from 'kysely'

/**
 * Orders a text by its bytes, which is the default in the private database: a list then has the same order in every database, whatever its collation.
 */
export const inByteOrder = (item: OrderByItemBuilder): OrderByItemBuilder => item.collate('C')
