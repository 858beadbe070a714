import { Button } from '@mantine/core'

interface DialogButtonsProps {
  className: string | undefined
  /** The label of the button that submits the form. */
  submitLabel: string
  isBusy: boolean
  isDisabled?: boolean
  onClose: () => void
}

/** The two buttons at the end of a dialog's form. */
export const DialogButtons = ({ className, submitLabel, isBusy, isDisabled = false, onClose }: DialogButtonsProps) => (
  <div className={className}>
    <Button variant="default" onClick={onClose}>
      Cancel
    </Button>
    <Button type="submit" loading={isBusy} disabled={isDisabled}>
      {submitLabel}
    </Button>
  </div>
)
