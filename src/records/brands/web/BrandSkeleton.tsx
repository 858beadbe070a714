import { Skeleton } from '@mantine/core'

import { MarkHeadSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { CardSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'

/** Skeleton of a brand's page while it loads. */
export const BrandSkeleton = () => (
  <>
    <MarkHeadSkeleton nameWidth={280} lineWidth={160} />
    <Skeleton width={110} height={17} mt={40} mb={24} />
    <CardSkeleton least={17} />
  </>
)
