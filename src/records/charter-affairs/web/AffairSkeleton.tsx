import { Skeleton } from '@mantine/core'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './Affair.module.css'

/** Skeleton of the page while it loads. */
export const AffairSkeleton = () => (
  <>
    <Skeleton width={360} height={28} maw="100%" mt={3} mb={17} />
    <Skeleton width={260} height={22} radius="xl" maw="100%" mb={20} />
    <div className={classes.layout}>
      <div className={classes.skeletonSections}>
        <Skeleton height={36} mb={12} />
        {[...Array(12).keys()].map((row) => (
          <Skeleton key={row} height={14} width={`${60 + ((row * 17) % 30)}%`} my={16} />
        ))}
      </div>
      <div>
        <Skeleton width={120} height={17} mb={24} />
        <div className={`${layoutClasses.grid} ${classes.fields}`}>
          {[...Array(15).keys()].map((field) => (
            <div key={field}>
              <Skeleton width={100} height={12} mb={8} />
              <Skeleton width={180} height={14} maw="100%" />
            </div>
          ))}
        </div>
      </div>
    </div>
  </>
)
