import { IconArrowLeft } from '@tabler/icons-react'

import classes from '../kit/BackLink.module.css'
import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'

/** The link back from a form, above its title. */
export const BackButton = ({ label, onPress }: { label: string; onPress: () => void }) => (
  <button
    type="button"
    className={`${layoutClasses.inlineRow} ${textClasses.note} ${layoutClasses.rigid} ${layoutClasses.targetHeight} ${classes.back}`}
    onClick={onPress}
  >
    <IconArrowLeft size={17} stroke={1.75} aria-hidden />
    {label}
  </button>
)
