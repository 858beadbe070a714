import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { Problem } from '../../../../contract/problem.ts'
import type { Deadline, DeadlineChange } from '../contract.ts'
import { changeDeadline, reloadDeadline, reloadDeadlines } from './queries.ts'

export interface DeadlineDialogProps {
  readonly deadline: Deadline
  readonly onSaved: (changed: Deadline | null) => void
  readonly onClose: () => void
}

/** The error of a field of the body. */
export const getFieldError = (error: unknown, path: string): string | undefined =>
  error instanceof Problem ? error.errors?.find((one) => one.path === path)?.message : undefined

/** The error shown below the fields of a dialog: none if all errors are shown at fields. */
export const getOtherError = (error: unknown, paths: readonly string[]): unknown =>
  paths.some((path) => getFieldError(error, path) !== undefined) ? null : error

/**
 * The change made in a dialog. If someone else changed the deadline in the meantime, it is reloaded with a message; what was typed stays, and the
 * next attempt is based on the current state.
 */
export const useDeadlineChange = ({ deadline: seen, onSaved }: Pick<DeadlineDialogProps, 'deadline' | 'onSaved'>) => {
  const [deadline, setDeadline] = useState(seen)
  const mutation = useMutation({
    mutationFn: async (change: DeadlineChange) => {
      try {
        return await changeDeadline(deadline, change)
      } catch (error) {
        if (error instanceof Problem && error.status === 412) {
          void reloadDeadlines()
          setDeadline(await reloadDeadline(deadline._id))
        }
        throw error
      }
    },
    onSuccess: onSaved,
  })
  const isStale = mutation.error instanceof Problem && mutation.error.status === 412
  return {
    deadline,
    save: mutation.mutate,
    isSaving: mutation.isPending,
    reset: mutation.reset,
    error: isStale
      ? new Error(
          `${deadline.updatedBy ?? 'Someone else'} changed this deadline in the meantime. What you typed is still here: look at it and save again.`,
        )
      : mutation.error,
  }
}
