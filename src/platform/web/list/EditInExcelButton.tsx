import { IconChevronDown, IconFileSpreadsheet } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'

import classes from './ListTools.module.css'

/** The button of the menu "Edit in Excel"; on phones only its icon. */
export const EditInExcelButton = ({ brief, ...props }: ComponentPropsWithRef<'button'> & { brief: boolean }) => (
  <button {...props} type="button" className={classes.button} aria-label={brief ? 'Edit in Excel' : undefined}>
    <IconFileSpreadsheet size={17} stroke={1.75} aria-hidden />
    {brief ? null : (
      <>
        Edit in Excel
        <IconChevronDown size={15} stroke={1.75} aria-hidden />
      </>
    )}
  </button>
)
