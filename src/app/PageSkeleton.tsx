import { Skeleton } from '@mantine/core'

import { DetailSkeleton } from '../platform/web/kit/DetailSkeleton.tsx'
import { RowSkeleton } from '../platform/web/list/ListSkeleton.tsx'

import layoutClasses from '../platform/web/kit/Layout.module.css'

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

/** The shape of a page by the path of its route, before anything is known about its content or its user. */
export const PageSkeleton = ({ path }: { path: string }) => {
  if (path === '/')
    return (
      <>
        <Skeleton height={60} radius="lg" mb={32} />
        <HomeSkeleton />
      </>
    )
  if (path.includes('$')) return <DetailSkeleton beside={path === '/staff/$slug' ? 'avatar' : 'picture'} />
  return (
    <>
      <Skeleton width={240} height={28} maw="100%" mt={3} mb={12} />
      <Skeleton width={320} height={14} maw="100%" mb={24} />
      <Skeleton width={520} height={40} maw="100%" mb={24} />
      <RowSkeleton />
    </>
  )
}
