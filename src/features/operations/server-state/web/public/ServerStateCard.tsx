import { useQuery } from '@tanstack/react-query'

import { useCan } from '../../../../../platform/web/caller.ts'
import { Notice } from '../../../../../platform/web/kit/Notice.tsx'
import { callQueryOptions } from '../../../../../platform/web/queries.ts'
import { readServerState } from '../../contract.ts'

/** Warnings about the server, for people who can see its state. */
export const ServerStateCard = () => {
  const { data } = useQuery({ ...callQueryOptions(readServerState), enabled: useCan('see the state of the server') })
  return (
    <>
      {data?.warnings.map((warning) => (
        <Notice key={warning} tone="bad">
          {warning}. Free up space, or move the folder to a larger disk.
        </Notice>
      ))}
    </>
  )
}
