import { Skeleton } from '@mantine/core'

import { MarkHeadSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { CardSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './Charter.module.css'

/** Skeleton of a charter's page while it loads. */
export const CharterSkeleton = () => (
  <>
    <MarkHeadSkeleton nameWidth={320} lineWidth={300} />
    <div className={`${layoutClasses.wrappingRow} ${classes.skeletonFacts}`}>
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
