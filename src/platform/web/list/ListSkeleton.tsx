import { Skeleton } from '@mantine/core'

import layoutClasses from '../kit/Layout.module.css'
import classes from './ListSkeleton.module.css'

/** Placeholder of eight cards, in the shape of the real ones. */
export const CardSkeleton = ({ photo = false, least = 16 }: { photo?: boolean; least?: number }) => (
  <div
    className={`${layoutClasses.grid} ${layoutClasses.gap20} ${classes.grid}`}
    style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(${least}rem, 100%), 1fr))` }}
  >
    {Array.from({ length: 8 }, (_, at) => (
      <div key={at} className={`${layoutClasses.card} ${layoutClasses.clipped} ${classes.card}`} data-photo={photo || undefined}>
        {photo ? <div className={`${layoutClasses.sunkenGround} ${classes.photo}`} /> : null}
        <div className={classes.text}>
          <Skeleton height={14} width="72%" mt={3} mb={11} />
          <Skeleton height={12} width="45%" mb={10} />
          <Skeleton height={12} width="56%" mb={24} />
          <Skeleton height={14} width={96} />
        </div>
      </div>
    ))}
  </div>
)

/** Placeholder rows of a table. */
export const RowSkeleton = () => (
  <div>
    {Array.from({ length: 10 }, (_, at) => (
      <div key={at} className={`${layoutClasses.row} ${layoutClasses.lineBelow} ${classes.row}`}>
        <Skeleton height={32} width={32} radius="md" />
        <Skeleton height={14} width={`${30 + ((at * 7) % 20)}%`} />
      </div>
    ))}
  </div>
)
