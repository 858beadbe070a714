import { type RefObject, useRef, useState } from 'react'

interface DialogOpener<Opener> {
  readonly isOpen: boolean
  /** The ref of the button. */
  readonly opener: RefObject<Opener | null>
  readonly open: () => void
  readonly close: () => void
}

/** A dialog and the button that opens it, which gets the focus back when the dialog closes. */
export const useDialogOpener = <Opener extends { focus: () => void } = HTMLButtonElement>(): DialogOpener<Opener> => {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<Opener>(null)
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  return { isOpen, opener, open: () => setOpen(true), close }
}
