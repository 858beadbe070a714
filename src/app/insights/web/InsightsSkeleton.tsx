import { Skeleton } from '@mantine/core'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './Insights.module.css'

/** The shape of the first pictures. */
export const InsightsSkeleton = () => (
  <div className={`${layoutClasses.grid} ${classes.cards}`}>
    {[0, 1, 2, 3].map((at) => (
      <div key={at} className={`${layoutClasses.card} ${classes.card}`}>
        <Skeleton width="70%" height={18} mb={12} />
        <Skeleton width="45%" height={13} mb={20} />
        <Skeleton height={220} />
      </div>
    ))}
  </div>
)
