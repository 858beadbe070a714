import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../platform/web/queries.ts'
import type { ExportKind } from '../contract.ts'
import { listDownloads, previews } from '../contract.ts'
import { isUnderWay } from '../rules.ts'

/** What a workbook will hold, before it is fetched. */
export const usePreview = (kind: ExportKind) => useQuery(reading(previews[kind]))

const LOOK_AGAIN = 2000

/** Who downloaded what; looked at again while one is under way. */
export const useDownloads = () =>
  useQuery({
    ...reading(listDownloads),
    refetchInterval: ({ state }) => (state.data?.some((one) => isUnderWay(one)) ? LOOK_AGAIN : false),
  })
