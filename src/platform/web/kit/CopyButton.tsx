import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import layoutClasses from './Layout.module.css'

/** Copies `value` to the clipboard. `what` completes its label: 'phone number' reads 'Copy phone number'. */
export const CopyButton = ({ value, what }: { value: string; what: string }) => {
  const clipboard = useClipboard({ timeout: 2000 })
  const Icon = clipboard.copied ? IconCheck : IconCopy
  return (
    <>
      <Tooltip label={clipboard.copied ? 'Copied' : 'Copy'}>
        <ActionIcon aria-label={`Copy ${what}`} onClick={() => clipboard.copy(value)} c="dimmed" my={-8} data-print="no">
          <Icon size={18} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{clipboard.copied ? `Copied ${what}` : ''}</VisuallyHidden>
    </>
  )
}

/** What a value looks like, with a button that copies it; `value` is null if there is nothing to copy. */
export const WithCopy = ({ children, value, what }: { children: ReactNode; value: string | null; what: string }) => (
  <span className={layoutClasses.copied}>
    {children}
    {value ? <CopyButton value={value} what={what} /> : null}
  </span>
)
