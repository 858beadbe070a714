import type { ModalProps } from '@mantine/core'
import { lazy, Suspense } from 'react'

const Modal = lazy(() => import('./modal.ts').then((module) => ({ default: module.Modal })))

/** A window that is loaded when it is opened: its code is larger than most pages. */
export const LazyModal = (props: ModalProps) => (
  <Suspense>
    <Modal {...props} />
  </Suspense>
)
