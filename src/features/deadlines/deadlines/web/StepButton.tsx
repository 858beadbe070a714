import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'

const ICONS = { back: IconChevronLeft, forward: IconChevronRight }

/** Shows an earlier or a later time span. */
export const StepButton = ({ direction, label, onClick }: { direction: keyof typeof ICONS; label: string; onClick: () => void }) => {
  const Icon = ICONS[direction]
  return (
    <button
      type="button"
      className={`${layoutClasses.centered} ${layoutClasses.rounded} ${layoutClasses.targetSize} ${textClasses.textColor} ${layoutClasses.hoverable}`}
      data-print="no"
      aria-label={label}
      onClick={onClick}
    >
      <Icon size={18} stroke={1.75} aria-hidden />
    </button>
  )
}
