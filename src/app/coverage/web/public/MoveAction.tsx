import { Button } from '@mantine/core'
import { IconTransfer, IconUserPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { useCan } from '../../../../platform/web/caller.ts'
import { HeadAction } from '../../../../platform/web/kit/HeadAction.tsx'
import type { MovedPerson } from '../../../../platform/web/record-features.tsx'
import { type SearchParams, useSearchParams } from '../../../../platform/web/search-params.ts'

const MoveDialog = lazy(() => import('../MoveDialog.tsx').then((module) => ({ default: module.MoveDialog })))

/** Opens the window that moves a person; for someone without a role, the one that gives them one. The URL says whether it is open. */
export const MoveAction = ({ person, isUnassigned }: { person: MovedPerson; isUnassigned: boolean }) => {
  const mayMove = useCan('manage the network')
  const [{ move }] = useSearchParams()
  const navigate = useNavigate()
  if (!mayMove || person.leftAt !== null) return null
  const renderRoot = (props: object) => (
    <Link
      to="."
      search={(before: SearchParams) => ({ ...before, move: '1' })}
      replace
      resetScroll={false}
      aria-haspopup="dialog"
      {...props}
    />
  )
  return (
    <>
      {isUnassigned ? (
        <Button leftSection={<IconUserPlus size={17} stroke={1.75} aria-hidden />} renderRoot={renderRoot} data-print="no">
          Give a Role at a Site
        </Button>
      ) : (
        <HeadAction icon={IconTransfer} renderRoot={renderRoot}>
          Move…
        </HeadAction>
      )}
      {move === undefined ? null : (
        <Suspense>
          <MoveDialog
            person={person}
            isUnassigned={isUnassigned}
            onClose={() =>
              navigate({ to: '.', search: (before: SearchParams) => ({ ...before, move: undefined }), replace: true, resetScroll: false })
            }
          />
        </Suspense>
      )}
    </>
  )
}
