import { Skeleton } from '@mantine/core'

import { DetailSkeleton } from '../platform/web/kit/DetailSkeleton.tsx'
import { RowSkeleton } from '../platform/web/list/ListSkeleton.tsx'
import { HomeSkeleton } from './home/web/HomeSkeleton.tsx'

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
