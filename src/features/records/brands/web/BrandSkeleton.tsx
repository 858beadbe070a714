import { Skeleton } from '@mantine/core'

import { CardSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'

import classes from './Brand.module.css'

/** Skeleton of a brand's page while it loads. */
export const BrandSkeleton = () => (
  <>
    <div className={classes.skeletonHead}>
      <Skeleton width={72} height={72} radius="md" />
      <div>
        <Skeleton width={280} height={28} maw="100%" mt={3} mb={17} />
        <Skeleton width={160} height={22} radius="xl" />
      </div>
    </div>
    <Skeleton width={110} height={17} mt={40} mb={24} />
    <CardSkeleton least={17} />
  </>
)
