import type { ModalProps } from '@mantine/core'
import { lazy, Suspense } from 'react'

const loadModal = () => import('./MantineModal.ts')
const LoadedModal = lazy(loadModal)
/** Once pages have what they show first. */
const PRELOAD_AFTER_MS = 2000
setTimeout(() => void loadModal().catch(() => {}), PRELOAD_AFTER_MS)

/** A window above the page. No page needs its code until one is opened. */
export const Modal = (props: ModalProps) => (
  <Suspense>
    <LoadedModal {...props} />
  </Suspense>
)
