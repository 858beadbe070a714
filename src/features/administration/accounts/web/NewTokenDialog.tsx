import { SecretDialog } from '../../../../platform/web/kit/SecretDialog.tsx'

interface NewTokenDialogProps {
  name: string
  token: string
  onClose: () => void
}

/** Shows a new API token. */
export const NewTokenDialog = ({ name, token, onClose }: NewTokenDialogProps) => (
  <SecretDialog title={`Your API Token ${name}`} noun="Token" secret={token} onClose={onClose}>
    Copy it now and store it where only your program can read it. Anyone who has it can act on your behalf.
  </SecretDialog>
)
