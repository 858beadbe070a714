import { IconArrowLeft } from '@tabler/icons-react'

import classes from './BackButton.module.css'

/** The link back from a form, above its title. */
export const BackButton = ({ label, onPress }: { label: string; onPress: () => void }) => (
  <button type="button" className={classes.back} onClick={onPress}>
    <IconArrowLeft size={17} stroke={1.75} aria-hidden />
    {label}
  </button>
)
