import { IconChevronDown, IconFileSpreadsheet } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

import { ToolButton } from './ToolButton.tsx'

/** The button of the menu "Edit in Excel". */
export const EditInExcelButton = (props: Omit<ComponentProps<typeof ToolButton>, 'icon'>) => (
  <ToolButton {...props} needsNetwork icon={IconFileSpreadsheet}>
    Edit in Excel
    <IconChevronDown size={15} stroke={1.75} aria-hidden />
  </ToolButton>
)
