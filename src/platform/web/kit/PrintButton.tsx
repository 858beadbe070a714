import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'

import classes from './PrintButton.module.css'

/** Prints the page as a sheet. */
export const PrintButton = () => (
  <Button
    variant="default"
    className={classes.button}
    leftSection={<IconPrinter size={17} stroke={1.75} />}
    onClick={() => window.print()}
    data-print="no"
  >
    Print
  </Button>
)
