import { Skeleton } from '@mantine/core'

import { CardSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'

import classes from './Charter.module.css'

/** Skeleton of a charter's page while it loads. */
export const CharterSkeleton = () => (
  <>
    <div className={classes.skeletonHead}>
      <Skeleton width={72} height={72} radius="md" />
      <div>
        <Skeleton width={320} height={28} maw="100%" mt={3} mb={17} />
        <Skeleton width={300} height={22} radius="xl" maw="100%" />
      </div>
    </div>
    <div className={classes.skeletonFacts}>
      {[180, 110, 160].map((width) => (
        <div key={width}>
          <Skeleton width={60} height={12} mb={10} />
          <Skeleton width={width} height={20} />
        </div>
      ))}
    </div>
    <Skeleton width={90} height={17} mb={24} />
    <CardSkeleton photo least={15.5} />
  </>
)
