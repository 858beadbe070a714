import { Skeleton } from '@mantine/core'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'

/** Placeholder of the home page below its search. */
export const HomeSkeleton = () => (
  <div aria-hidden>
    {[3, 2].map((rows) => (
      <div key={rows} className={layoutClasses.sectionEnd}>
        <Skeleton width={180} height={20} mt={8} mb={20} />
        {Array.from({ length: rows }, (_, at) => (
          <div key={at} className={layoutClasses.lineAbove}>
            <Skeleton width={`${52 - at * 9}%`} height={16} mt={16} mb={12} />
            <Skeleton width={`${34 + at * 6}%`} height={13} mb={18} />
          </div>
        ))}
      </div>
    ))}
  </div>
)
