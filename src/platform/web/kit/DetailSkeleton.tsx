import { Skeleton } from '@mantine/core'

import headClasses from './DetailHead.module.css'
import classes from './DetailSkeleton.module.css'
import layoutClasses from './Layout.module.css'
import sectionClasses from './Section.module.css'

const Fact = ({ isProminent = false }: { isProminent?: boolean }) => (
  <div>
    <Skeleton width={60} height={12} mb={10} />
    <Skeleton width={isProminent ? 180 : 210} height={isProminent ? 24 : 14} mb={isProminent ? 0 : 9} maw="100%" />
    {isProminent ? null : <Skeleton width={140} height={14} />}
  </div>
)

const Rows = () => (
  <div className={`${layoutClasses.sectionEnd} ${sectionClasses.section}`}>
    <Skeleton width={150} height={17} mb={14} />
    {[0, 1].map((row) => (
      <div key={row} className={`${layoutClasses.row} ${layoutClasses.lineAbove} ${classes.row}`}>
        <Skeleton circle height={44} />
        <div className={layoutClasses.filling}>
          <Skeleton width={180} height={14} mb={9} maw="100%" />
          <Skeleton width={130} height={12} />
        </div>
        <Skeleton width={180} height={32} className={layoutClasses.notOnPhones} />
      </div>
    ))}
  </div>
)

const Aside = () => (
  <>
    <Skeleton width={110} height={17} mb={14} />
    {[0, 1, 2, 3].map((row) => (
      <div key={row} className={`${layoutClasses.lineAbove} ${layoutClasses.spaced} ${classes.fact}`}>
        <Skeleton width={80} height={13} />
        <Skeleton width={150} height={13} />
      </div>
    ))}
  </>
)

/** Placeholder of the head of a record with a list of others: its mark, and its name above a line. */
export const MarkHeadSkeleton = ({ nameWidth, lineWidth }: { nameWidth: number; lineWidth: number }) => (
  <div className={`${layoutClasses.spaced} ${classes.markHead}`}>
    <Skeleton width={72} height={72} radius="md" />
    <div>
      <Skeleton width={nameWidth} height={28} maw="100%" mt={3} mb={17} />
      <Skeleton width={lineWidth} height={22} radius="xl" maw="100%" />
    </div>
  </div>
)

interface DetailSkeletonProps {
  /** What is next to the name: the picture of a record, or someone's avatar. */
  beside: 'picture' | 'avatar'
  /** Whether the page has tabs below its head. */
  tabs?: boolean
}

/** Placeholder of a detail page with the heights of the real one, so that nothing jumps. */
export const DetailSkeleton = ({ beside, tabs = false }: DetailSkeletonProps) => (
  <>
    <div
      className={headClasses.body}
      data-picture={beside === 'picture' ? true : undefined}
      data-avatar={beside === 'avatar' ? true : undefined}
    >
      {beside === 'avatar' ? (
        <div className={headClasses.avatar}>
          <Skeleton circle height={104} />
        </div>
      ) : null}
      <div className={`${layoutClasses.shrinkable} ${headClasses.name}`}>
        <Skeleton width={320} height={28} maw="100%" mt={3} mb={17} />
        <Skeleton width={380} height={22} radius="xl" maw="100%" />
      </div>
      <div className={`${layoutClasses.shrinkable} ${headClasses.facts} ${layoutClasses.grid} ${classes.facts}`}>
        <Fact isProminent />
        <Fact />
        {beside === 'picture' ? (
          <>
            <Fact />
            <Fact />
          </>
        ) : null}
      </div>
      {beside === 'picture' ? (
        <div className={headClasses.picture}>
          <Skeleton radius="lg" className={classes.picture} />
        </div>
      ) : null}
    </div>
    {tabs ? <div className={`${layoutClasses.lineBelow} ${classes.tabs}`} /> : null}
    <div className={sectionClasses.columns}>
      <div className={layoutClasses.shrinkable}>
        <Rows />
        <Rows />
      </div>
      <div className={layoutClasses.shrinkable}>
        <Aside />
      </div>
    </div>
  </>
)
